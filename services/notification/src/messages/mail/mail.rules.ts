const MINUTE_MS = 60_000;
/** A message is tried again after these times, the last of them repeatedly, until it is a day old. */
const DELAYS_MS = [1, 5, 15, 30, 60, 120, 240].map((minutes) => minutes * MINUTE_MS);
const JITTER = 0.1;

/** How long a message waits after its nth failed try, within a tenth; `random` is from 0 to 1. */
export function retryDelayMs(attempts: number, random: number): number {
  const delayMs = DELAYS_MS[Math.min(attempts, DELAYS_MS.length) - 1]!;
  return Math.round(delayMs * (1 - JITTER + 2 * JITTER * random));
}

/** An address as it is shown: its first character and its domain. */
export function masked(address: string): string {
  const at = address.lastIndexOf('@');
  return `${[...address][0]}•••${address.slice(at)}`;
}

/** How a try to send a message has ended. */
export type Outcome =
  | { kind: 'sent'; response: string | null }
  /** The recipient's address, or the message, is rejected for good. */
  | { kind: 'bounced'; response: string | null }
  | { kind: 'retried'; response: string | null };

/** An error as nodemailer reports it. */
export interface SmtpFailure {
  command?: string | undefined;
  responseCode?: number | undefined;
  response?: string | undefined;
}

const ABOUT_THE_MESSAGE = new Set(['RCPT TO', 'DATA', 'BODY']);

/** The outcome of a failed try: only a 5xx to the recipient or the message is for good, one to ourselves is not. */
export function outcomeOf({ command, responseCode, response }: SmtpFailure): Outcome {
  const isForGood = responseCode !== undefined && responseCode >= 500 && ABOUT_THE_MESSAGE.has(command ?? '');
  return { kind: isForGood ? 'bounced' : 'retried', response: replyCode(response) };
}

/** The reply code and the enhanced code (RFC 3463) of a reply, without its text. */
export function replyCode(response: string | undefined): string | null {
  const match = /^(\d{3})(?:[ -](\d\.\d{1,3}\.\d{1,3}))?/.exec(response ?? '');
  return match ? [match[1], match[2]].filter(Boolean).join(' ') : null;
}

const LONGEST_NAME = 60;
/** Six digits and more without a letter between them: a telephone number, or a date. */
const NUMBER = /[+(]*\p{Nd}(?:[^\p{L}\p{Nd}]*\p{Nd}){5,}/gu;

/**
 * A name that its sender chose, for a mail to an address that nobody has confirmed: at most 60 characters, and nothing that a mail
 * program makes a link of, as it does of `example.com/pay`. A dot stays at the end of a word only: "St. Mary".
 */
export function plainName(name: string): string {
  const words = name
    .normalize('NFKC')
    .replaceAll(/\.(?=\S)|[^\p{L}\p{M}\p{Nd}'’&(),.+ -]/gu, ' ')
    .replaceAll(NUMBER, ' ')
    .replaceAll(/ +/g, ' ')
    .trim();
  const characters = [...words];
  if (characters.length === 0) return '–';
  return characters.length <= LONGEST_NAME
    ? words
    : `${characters
        .slice(0, LONGEST_NAME - 1)
        .join('')
        .trimEnd()}…`;
}
