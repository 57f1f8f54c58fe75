import puppeteer, { type Browser } from "puppeteer";
import { browserPath } from "../scan/scanner";

/** A browser for pages of our own: not guarded, and without a scanner's settings. */
export function openBrowser(): Promise<Browser> {
  // Chromium's sandbox refuses to run as root.
  const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  // Without a graphics card, drawing without its process costs less.
  // Rules and results are large; a pipe takes them without the frames of a web socket.
  return puppeteer.launch({ executablePath: browserPath(), headless: "shell", pipe: true, args: ["--disable-gpu", ...sandbox] });
}
