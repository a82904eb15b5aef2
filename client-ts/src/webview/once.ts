// What follows from a thing that never changes is worked out once, however often it is asked for.

/** The same function, which remembers what it made of each thing for as long as that is there. */
export function once<Thing extends object, Made>(make: (thing: Thing) => Made): (thing: Thing) => Made {
  const made = new WeakMap<Thing, { value: Made }>();
  return (thing) => {
    const known = made.get(thing);
    if (known) return known.value;
    const value = make(thing);
    made.set(thing, { value });
    return value;
  };
}
