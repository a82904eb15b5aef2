/** Says that what an element shows is drawn anew: whoever lays something over it begins again. */
export function drawn(): Event {
  return new Event("drawn", { bubbles: true, composed: true });
}
