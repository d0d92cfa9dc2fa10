import crypto from 'node:crypto';
import type { Booking } from '@swim/contracts';
import type { Deployment } from '../deployment.ts';
import { bookingOf, type Customers } from '../first-booking.ts';
import type { Report, Seen } from '../report.ts';
import { BUS_SIGN_INS, DATABASE_SIGN_INS, inContainer } from './inside.ts';
import { newPassword, type SecretFiles, type SecretSetting } from './settings.ts';

const LIST = '/events?limit=1';
const NOTES = 'No butterfly, please.';
const PAYMENT = 'pay_01k5zr8q3ve9mbf6w2n0x4ht7c';
/** Batches of spans are sent every five seconds. */
const RECENT_SPANS = 'docker compose logs --no-log-prefix --tail 30 collector';

interface Answer {
  status: number;
  reason: string | undefined;
  body: { error?: { details?: { reason?: string } }; pagination?: { next_cursor: string | null } };
}

/** What was valid before the secrets were changed, to be tried again afterwards. */
export class Former {
  readonly #deployment: Deployment;
  readonly #customers: Customers;
  readonly #files: SecretFiles;
  readonly #settings: SecretSetting[];
  readonly #texts: Map<string, string>;
  #cursor = '';
  #unusedKey = '';
  #booking = '';

  private constructor(deployment: Deployment, customers: Customers, files: SecretFiles, settings: SecretSetting[]) {
    this.#deployment = deployment;
    this.#customers = customers;
    this.#files = files;
    this.#settings = settings;
    this.#texts = new Map(settings.map(({ file }) => [file, files.read(file)]));
  }

  static async remember(deployment: Deployment, customers: Customers, files: SecretFiles, settings: SecretSetting[]) {
    const former = new Former(deployment, customers, files, settings);
    const { family, familyId } = customers;
    former.#cursor = (await former.#list()).body.pagination!.next_cursor!;
    const key = { name: 'Unused', scopes: ['events:read'] };
    former.#unusedKey = (await family.create<{ key: string }>(`/accounts/${familyId}/keys`, 'key', key)).key;
    const body = { ...bookingOf(customers), notes: NOTES };
    former.#booking = (await family.create<Booking>('/bookings', 'booking', body)).id;
    return former;
  }

  /** Adds a row for each kind of secret. */
  async areRefused(report: Report) {
    const row = (title: string, wanted: string, check: () => Promise<Seen>) => report.row(title, wanted, check);
    await row('former addresses of the database', 'refused, the new ones not', () => this.#databases());
    await row('former passwords of NATS', 'refused, the new ones not', () => this.#passwords());
    await row('a former cursor', '400 invalid_cursor, a new one 200', () => this.#cursors());
    await row('a webhook of Stripe with the former signature', '400 invalid_signature, with the new one 200', () =>
      this.#signatures(),
    );
    await row('spans for the collector', 'only with the new header', () => this.#headers());
    await row('a key of the API that was never used under the next pepper', '503', async () => {
      const { status } = await this.#list(this.#unusedKey);
      return { seen: String(status), passed: status === 503 };
    });
    await row('a text that was encrypted under the former master key', 'readable', async () => {
      const { notes } = await this.#customers.family.get<Booking>(`/bookings/${this.#booking}`);
      return { seen: notes === NOTES ? 'readable' : String(notes), passed: notes === NOTES };
    });
  }

  /** The former and the present text of each file of a setting, by the process that has it to itself. */
  #pairsOf(setting: string) {
    const of = this.#settings.filter((each) => each.setting === setting);
    return of.map(({ process, file }) => [process, this.#texts.get(file)!, this.#files.read(file)] as const);
  }

  async #databases(): Promise<Seen> {
    const pairs = this.#pairsOf('MONGODB_URI');
    const addresses = pairs.flatMap(([, former, now]) => [former, now]);
    const program = DATABASE_SIGN_INS.replace('ADDRESSES', JSON.stringify(addresses));
    this.#deployment.write('inside.js', program);
    const line = `docker compose exec -T mongo sh -c 'cat > /tmp/inside && mongosh --quiet --norc --nodb /tmp/inside' < inside.js`;
    const letIn = JSON.parse((await this.#deployment.sh(line)).trim().split('\n').at(-1)!) as boolean[];
    return alternating(letIn);
  }

  async #passwords(): Promise<Seen> {
    const users = this.#pairsOf('NATS_PASSWORD').flatMap(([process, former, now]) => {
      const names = process === 'bus-setup' ? ['events'] : ['rpc', 'events'];
      return names.flatMap((name) => [former, now].map((password) => [`${process}-${name}`, password]));
    });
    const answers = await inContainer<string[]>(this.#deployment, 'gateway', BUS_SIGN_INS, users);
    return alternating(answers.map((answer) => answer === 'PONG'));
  }

  async #cursors(): Promise<Seen> {
    const { status, reason } = await this.#list(undefined, this.#cursor);
    const fresh = await this.#list(undefined, (await this.#list()).body.pagination!.next_cursor!);
    const isRefused = status === 400 && reason === 'invalid_cursor';
    return { seen: `${status} ${reason}, a new one ${fresh.status}`, passed: isRefused && fresh.status === 200 };
  }

  async #signatures(): Promise<Seen> {
    const [[, former, now]] = this.#pairsOf('STRIPE_WEBHOOK_SECRET') as [readonly [string, string, string]];
    const [refused, taken] = [await this.#webhook(former), await this.#webhook(now)];
    return {
      seen: `${refused.status} ${refused.reason}, with the new one ${taken.status}`,
      passed: refused.reason === 'invalid_signature' && taken.status === 200,
    };
  }

  async #headers(): Promise<Seen> {
    const [[, former, now]] = this.#pairsOf('OTEL_EXPORTER_OTLP_HEADERS') as [readonly [string, string, string]];
    const seen = (await this.#deployment.sh(RECENT_SPANS)).trim().split('\n');
    const counts = [former, now].map((text) => seen.filter((line) => line.includes(text.split('=')[1]!)).length);
    return {
      seen: `${counts[0]} with the former, ${counts[1]} with the new`,
      passed: counts[0] === 0 && counts[1]! > 0,
    };
  }

  #list(key = this.#customers.keys.family, cursor?: string) {
    const path = `${LIST}${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`;
    return this.#ask('GET', path, { authorization: `Bearer ${key}` });
  }

  #webhook(secret: string) {
    const object = {
      id: `pi_${newPassword()}`,
      object: 'payment_intent',
      amount: 6_000,
      currency: 'usd',
      metadata: { payment_id: PAYMENT },
    };
    const data = { object: { ...object, status: 'succeeded' } };
    const event = { id: `evt_${newPassword()}`, object: 'event', api_version: '2020-08-27', created: 1, data };
    const body = JSON.stringify({ ...event, livemode: true, type: 'payment_intent.succeeded' });
    const seconds = Math.floor(Date.now() / 1_000);
    const signature = crypto.createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
    return this.#ask('POST', '/webhooks/stripe', { 'stripe-signature': `t=${seconds},v1=${signature}` }, body);
  }

  async #ask(method: string, path: string, headers: Record<string, string>, body?: string): Promise<Answer> {
    const options = { method, headers: { 'content-type': 'application/json', ...headers }, ...(body && { body }) };
    const response = await fetch(`${this.#deployment.origin}/v1${path}`, options);
    const answer = (await response.json()) as Answer['body'];
    return { status: response.status, reason: answer.error?.details?.reason, body: answer };
  }
}

/** Former and new ones in turn: the former are refused, and the new ones are not. */
function alternating(areTaken: boolean[]): Seen {
  const [former, now] = [0, 1].map((of) => areTaken.filter((_, index) => index % 2 === of));
  const taken = (all: boolean[]) => all.filter(Boolean).length;
  return {
    seen: `${taken(former!)} of ${former!.length} former ones are taken, ${taken(now!)} of ${now!.length} new ones`,
    passed: taken(former!) === 0 && taken(now!) === now!.length && now!.length > 0,
  };
}
