import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";

interface ReceivedMail {
  from: string;
  to: string;
  /** Head and body, unchanged. */
  message: string;
}

export interface SmtpDouble {
  /** Value for `SMTP_URL`. */
  readonly url: string;
  readonly received: ReceivedMail[];
  /** Number of attempts to deliver a mail. */
  readonly attempts: () => number;
  /** Answer to the next recipients; null accepts them. */
  refuseWith: { code: number; text: string } | null;
  /** Mails are accepted after this promise. */
  holdUntil: Promise<void>;
  close(): Promise<void>;
}

/** Mail server on loopback that requires a password and stores the received mails. */
export async function startSmtp(): Promise<SmtpDouble> {
  const received: ReceivedMail[] = [];
  let attempts = 0;
  const server = new SMTPServer({
    disabledCommands: ["STARTTLS"],
    authMethods: ["PLAIN", "LOGIN"],
    allowInsecureAuth: true,
    onAuth({ username, password }, _session, done) {
      const isRight = username === "rampe" && password === "geheim";
      done(isRight ? null : new Error("Invalid username or password"), { user: username });
    },
    onRcptTo(_address, _session, done) {
      attempts += 1;
      const { refuseWith } = double;
      done(refuseWith && Object.assign(new Error(refuseWith.text), { responseCode: refuseWith.code }));
    },
    onData(stream, { envelope }, done) {
      const parts: Buffer[] = [];
      stream.on("data", (part: Buffer) => parts.push(part));
      stream.on("end", () => {
        received.push({
          from: envelope.mailFrom ? envelope.mailFrom.address : "",
          to: envelope.rcptTo.map(({ address }) => address).join(),
          message: Buffer.concat(parts).toString("utf8"),
        });
        void double.holdUntil.then(() => done());
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.server.address() as AddressInfo;
  const double: SmtpDouble = {
    url: `smtp://rampe:geheim@127.0.0.1:${port}`,
    received,
    attempts: () => attempts,
    refuseWith: null,
    holdUntil: Promise.resolve(),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return double;
}
