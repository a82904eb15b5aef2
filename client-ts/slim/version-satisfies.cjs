// See version-parse.cjs.
module.exports = () => true;
