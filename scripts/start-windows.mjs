// `npm start` calls this first: cmd.exe has no `exec`. Elsewhere it fails, and `exec` starts the server in place of the shell, so
// that it gets the signals that npm passes on. npm appends arguments to the last command: on Windows they are not read.
if (process.platform === "win32") await import("./start.mjs");
else process.exitCode = 1;
