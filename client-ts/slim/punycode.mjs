// The browser writes the names of hosts for itself; a name that was encoded stays so, where it cannot pass for another.
export default {
  toASCII: (host) => new URL(`http://${host}`).hostname,
  toUnicode: (host) => host,
};
