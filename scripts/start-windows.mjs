// Start on Windows, called first by `npm start`: cmd.exe has no `exec`. Elsewhere it fails, and `exec` replaces the shell by the server, so
// that the server gets the signals from npm. npm appends arguments to the last command: on Windows they are not read.
if (process.platform === "win32") await import("./start.mjs");
else process.exitCode = 1;
