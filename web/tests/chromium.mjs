// Headless Chromium with WebGL 2 drawn by the processor, for the tests of the page.
import { chromium } from "playwright-core";

const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
const args = [
  "--no-sandbox", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
  "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
];

/** A browser window of a size, which keeps what it stores in `profile`. */
export const launch = (profile, viewport) =>
  chromium.launchPersistentContext(profile, {
    executablePath,
    headless: true,
    viewport,
    colorScheme: "dark",
    permissions: ["clipboard-read", "clipboard-write"],
    args,
  });

/** A browser that draws nothing. */
export const launchPlain = () => chromium.launch({ executablePath, args });
