// How much is tried: all that there is in the long run (`dev.py test --all`), or a part that is the same each time.
export const ALL = process.env.ASSENT_TEST_ALL === "1";
