// Globs that a server registers for file operations or for diagnostics on demand. Ours registers none; another one is
// told at once that this client takes none.
exports.Minimatch = class {
  constructor(pattern) {
    throw new Error(`this client takes no globs from a server: ${pattern}`);
  }
};
