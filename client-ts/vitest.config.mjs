import { defineConfig } from "vitest/config";

const scale = Number(process.env.ASSENT_TEST_SCALE ?? "1");

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/page/build.ts"],
    testTimeout: 30_000 * scale,
    hookTimeout: 60_000 * scale,
    // What is waited for comes when the machine has time for it.
    expect: { poll: { timeout: 10_000 * scale } },
    maxWorkers: 2,
    // Files that a worker runs share what they import, the browser too: each would take a second for it.
    isolate: false,
  },
});
