/** A message of a stream of server-sent events; its fields as the stream has them. */
export interface Message {
  readonly event: string;
  readonly data: string;
}

/** What a part of a stream contained. */
export interface Frames {
  readonly messages: Message[];
  /** The last `retry` so far, in milliseconds; null before the first. */
  readonly retryMs: number | null;
}

/** Reads server-sent events from parts of their text (HTML standard, section 9.2). Ids are left out: an event has its own. */
export class FrameReader {
  #rest = '';
  #event = '';
  #data: string[] = [];
  #retryMs: number | null = null;

  /** Takes the next part of the text, and returns the messages that it completes. */
  take(part: string): Frames {
    const lines = (this.#rest + part).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop()!;
    const messages = lines.flatMap((line) => this.#takeLine(line));
    return { messages, retryMs: this.#retryMs };
  }

  #takeLine(line: string): Message[] {
    if (line === '') return this.#dispatch();
    const [, name, value] = /^([^:]*):? ?(.*)$/.exec(line)!;
    if (name === 'event') this.#event = value!;
    else if (name === 'data') this.#data.push(value!);
    else if (name === 'retry' && /^\d+$/.test(value!)) this.#retryMs = Number(value);
    return [];
  }

  #dispatch(): Message[] {
    const message = { event: this.#event, data: this.#data.join('\n') };
    const isEmpty = this.#data.length === 0;
    this.#event = '';
    this.#data = [];
    return isEmpty ? [] : [message];
  }
}
