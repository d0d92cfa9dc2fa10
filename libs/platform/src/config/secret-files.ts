/** Two looks that see the same make a change, so one takes effect within 20 s. */
const LOOK_MS = 10_000;

/** What a look at the environment and its files has read: the text of each variable, and the settings or what is wrong with them. */
export interface Look {
  readonly texts: ReadonlyMap<string, string | undefined>;
  readonly settings?: Record<string, unknown> | undefined;
  readonly faults: readonly string[];
}

/** A line as the logger writes it, but without the time: the logger and the shared clock read settings, and so cannot be imported here. */
function log(level: 'info' | 'error', reason: string, msg: string): void {
  process.stdout.write(`${JSON.stringify({ level, pid: process.pid, service: 'settings', reason, msg })}\n`);
}

type Listener = (names: readonly string[]) => void;

const listeners = new WeakMap<object, Set<Listener>>();

/** Calls `listener` after each change of a secret of these settings, with the names of what has changed, until the returned function is called. */
export function whenChanged(settings: object, listener: Listener): () => void {
  const all = listeners.get(settings) ?? new Set();
  listeners.set(settings, all.add(listener));
  return () => void all.delete(listener);
}

/**
 * Reads the secrets among the settings again, and changes these in place. Files are compared by content: a mounted one has no
 * notifications, and its time may stay the same. A content counts once two looks have seen it, so that a file is not read while it is
 * written; one that is not usable changes nothing and is logged once.
 */
export class SecretFiles {
  private before: Look;
  private reported = '';

  constructor(
    private readonly settings: Record<string, unknown>,
    private readonly secrets: readonly string[],
    private readonly read: () => Look,
    private used: Look,
  ) {
    this.before = used;
  }

  /** Looks every ten seconds, as long as the process runs. */
  watch(): void {
    setInterval(() => this.look(), LOOK_MS).unref();
  }

  look(): void {
    const seen = this.read();
    const isSettled = this.changesOf(seen, this.before).length === 0;
    this.before = seen;
    if (!isSettled) return;
    const names = this.changesOf(seen, this.used);
    if (seen.settings && seen.faults.length === 0) this.take(seen, seen.settings, names);
    else this.report(seen.faults.join('; '));
  }

  private changesOf(seen: Look, earlier: Look): string[] {
    return this.secrets.filter((name) => seen.texts.get(name) !== earlier.texts.get(name));
  }

  private take(seen: Look, settings: Record<string, unknown>, names: string[]): void {
    this.reported = '';
    if (names.length === 0) return;
    for (const name of names) this.settings[name] = settings[name];
    this.used = seen;
    log('info', names.join(', '), 'secrets have changed, and are used from now on');
    for (const listener of listeners.get(this.settings) ?? []) listener(names);
  }

  private report(faults: string): void {
    if (faults === this.reported) return;
    this.reported = faults;
    log('error', faults, 'changed secrets are not usable: the former ones stay in use');
  }
}
