// Headless Chromium for the tests of the page: with WebGL 2 drawn by the processor, and where it is asked for with WebGPU computed by it.
import { chromium } from "playwright-core";

const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
const args = [
  "--no-sandbox", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
  "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
];

const WEBGPU = ["--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader"];

/** A browser window of a size, which keeps what it stores in `profile`. */
export const launch = (profile, viewport, { webgpu = false } = {}) =>
  chromium.launchPersistentContext(profile, {
    executablePath,
    headless: true,
    viewport,
    colorScheme: "dark",
    permissions: ["clipboard-read", "clipboard-write"],
    args: webgpu ? [...args, ...WEBGPU] : args,
  });

/** A browser that draws nothing. */
export const launchPlain = () => chromium.launch({ executablePath, args });
