import puppeteer, { type Browser } from "puppeteer";
import { browserPath } from "../scan/scanner";

/** Browser for our own pages: without protection and without a scanner's settings. */
export function openBrowser(): Promise<Browser> {
  // Chromium's sandbox refuses to run as root.
  const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  // Without a graphics card, drawing is faster without a separate process.
  // Rules and results are large; a pipe transfers them without the frames of a web socket.
  return puppeteer.launch({ executablePath: browserPath(), headless: "shell", pipe: true, args: ["--disable-gpu", ...sandbox] });
}
