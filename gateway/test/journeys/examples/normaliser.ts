import { createHash } from 'node:crypto';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const STEP_MS = 5 * MINUTE_MS;

/** The Monday on which the lessons of the examples begin, and when their requests are sent. */
const LESSONS = Date.parse('2027-03-01T00:00:00.000Z');
const NOW = Date.parse('2027-01-11T09:00:00.000Z');

const SECRETS: [RegExp, string][] = [
  [/swl_(test|live)_[0-9A-Za-z_-]{8,}/g, 'swl_$1_4mZq…'],
  [/whsec_[0-9A-Za-z+/=]{8,}/g, 'whsec_C2FV…'],
  [/t=\d+,v1=[0-9a-f]{64}/g, `t=1799658000,v1=${'5257a869'.repeat(8)}`],
  [/token=[^&"\s]{8,}/g, 'token=k3XJ…'],
  [/http:\/\/127\.0\.0\.1:\d+\/hooks/g, 'https://crm.example.com/hooks'],
  [/http:\/\/127\.0\.0\.1:\d+/g, 'https://api.example.com'],
];
/** The sequence of the newest event, which depends on how soon changes become events. */
const NEWEST_SEQUENCE = 42;
const NEWEST_IN_TEXT = /(?<=at most )\d+(?=, the sequence of the newest event)/g;
const BOUNDED_BY_NEWEST = ['since_sequence', 'Last-Event-ID'];
const ID = /\b([a-z]+)_([0-7][0-9a-hjkmnp-tv-z]{25})\b/g;
const INSTANT =
  /\b(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:\d\d)?|\b(\d{8}T\d{6}Z?)\b|\b(\d{4}-\d\d-\d\d)\b/g;
const BASE32 = '0123456789abcdefghjkmnpqrstvwxyz';

/** Members whose values differ in every run, and what stands for them. */
const VARYING: Readonly<Record<string, unknown>> = {
  request_id: 'req_01kenq8j40e6rt6yk2bhb1c9wd',
  sequence: 42,
  duration_ms: 87,
  network: '203.0.113.0/24',
  next_cursor: 'eyJv…',
  token: 'k3XJ…',
  month: '2027-01',
  // On a busy machine an advance or a reset goes on after its answer.
  advancing: false,
  resetting: false,
  // The journeys run without rate limits.
  per_hour: 1_000,
  per_minute: 100,
};

/** Whether a day of a statement says more than its date: months differ in their days. */
const hasNumbers = (day: object): boolean =>
  Object.values(day).some((value) => typeof value === 'number' && value !== 0);

/** An id of the same kind, which is always the same for a place. */
function idFor(prefix: string, place: string): string {
  const bytes = createHash('sha256').update(place).digest();
  const random = [...bytes.subarray(0, 15)].map((byte) => BASE32[byte % 32]);
  // As a UUIDv7 is written in base32: its version and its variant.
  return `${prefix}_01kenq8j4${random[0]}e${random[1]}${random[2]}8${random.slice(3, 15).join('')}`;
}

/**
 * Replaces what differs from run to run, so that the same answers make the same examples: ids, instants, keys and secrets. Lessons
 * keep their weekday and time of the day.
 */
export class Normaliser {
  private readonly ids = new Map<string, string>();
  private readonly instants = new Map<number, number>();
  /** Instants to which a clock was advanced. */
  private readonly clocks: number[] = [];

  /** @param lessons - the Monday, midnight UTC, on which the lessons of this run begin. */
  constructor(readonly lessons: number) {}

  /** The clock hour that begins at this instant, and passes during the recording, is always the same. */
  hourBeganAt(instant: string): void {
    for (const sinceMs of [0, HOUR_MS]) this.instants.set(Date.parse(instant) + sinceMs, NOW + sinceMs);
  }

  /** Instants shortly before or after this one are of a clock that is advanced to it. */
  clockAdvancedTo(instant: string): void {
    this.clocks.push(Date.parse(instant));
  }

  of<T>(value: T, place: string): T {
    return this.replaced(value, '', place) as T;
  }

  private replaced(value: unknown, name: string, place: string): unknown {
    if (value !== null && name in VARYING) return VARYING[name];
    if (name === 'days' && Array.isArray(value)) return this.replaced(value.filter(hasNumbers), 'some days', place);
    // The requests of an export vary: entries of the log are stored a moment after their answers.
    if (name === 'requests' && Array.isArray(value)) return [];
    if (Array.isArray(value)) return value.map((each, index) => this.replaced(each, name, `${place}.${index}`));
    if (value !== null && typeof value === 'object') return this.object(value as Record<string, unknown>, place);
    if (name === 'offset_seconds' && value !== 0) return (LESSONS - NOW) / 1_000;
    return typeof value === 'string' ? this.text(value, place) : value;
  }

  private object(value: Record<string, unknown>, place: string): Record<string, unknown> {
    const members = Object.entries(value).map(([name, member]) => [
      name,
      this.replaced(member, name, `${place}.${name}`),
    ]);
    const object = Object.fromEntries(members) as Record<string, unknown>;
    if (object.object === 'api_key') return { ...object, last4: 'x7Qd' };
    const isBounded = 'maximum' in object && BOUNDED_BY_NEWEST.includes(object.field as string);
    return isBounded ? { ...object, maximum: NEWEST_SEQUENCE } : object;
  }

  private text(value: string, place: string): string {
    let text = value.replace(NEWEST_IN_TEXT, String(NEWEST_SEQUENCE));
    for (const [pattern, by] of SECRETS) text = text.replace(pattern, by);
    text = text.replace(ID, (id, prefix: string) => {
      if (!this.ids.has(id)) this.ids.set(id, idFor(prefix, `${prefix} ${place}`));
      return this.ids.get(id)!;
    });
    return text.replace(INSTANT, (all, local?: string, offset?: string, compact?: string, date?: string) => {
      if (date) return this.instant(`${date}T00:00:00.000Z`).slice(0, 10);
      if (compact) return this.compact(compact);
      return offset ? this.withOffset(all, offset) : this.instant(`${local}Z`).slice(0, local!.length);
    });
  }

  // A calendar has times of UTC, and those of a zone without an offset.
  private compact(text: string): string {
    const iso = text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z?$/, '$1-$2-$3T$4:$5:$6Z');
    return this.instant(iso)
      .replace(/[-:]|\.\d+/g, '')
      .slice(0, text.length);
  }

  private withOffset(text: string, offset: string): string {
    const utc = this.instant(text);
    const minutes = offset === 'Z' ? 0 : Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4));
    const sign = offset.startsWith('-') ? -1 : 1;
    const local = new Date(Date.parse(utc) + sign * minutes * MINUTE_MS).toISOString().slice(0, -1);
    return `${text.includes('.') ? local : local.slice(0, text.length - offset.length)}${offset}`;
  }

  private instant(text: string): string {
    const real = Date.parse(text);
    if (!this.instants.has(real)) this.instants.set(real, this.shown(real));
    return new Date(this.instants.get(real)!).toISOString();
  }

  /**
   * Instants of lessons are whole minutes; those that follow from the present instant are not, and become multiples of 5 minutes.
   */
  private shown(real: number): number {
    const now = Date.now();
    const clock = this.clocks.findLast((at) => real > at - STEP_MS && real < at + 2 * STEP_MS);
    const toLessons = LESSONS - this.lessons;
    if (clock !== undefined && real % MINUTE_MS !== 0) return clock + toLessons;
    if (real < now - 300 * DAY_MS || real > now + 700 * DAY_MS) return real;
    if (real % MINUTE_MS === 0 && Math.abs(real - now) > 2 * DAY_MS) return real + toLessons;
    return NOW + Math.max(0, Math.round((real - now) / STEP_MS) * STEP_MS);
  }
}
