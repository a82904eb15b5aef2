// One browser, and the server of the page, for all files that one worker of the tests runs. They end with its process.
import { launch, servePage } from "./browser.js";

export const [browser, server] = await Promise.all([launch(), servePage()]);
