import path from 'node:path';
import { parseArgs } from 'node:util';
import { readJson } from '../../system/files/json-file.ts';
import { LOCAL } from '../../system/paths.mjs';
import { type EventSourceOptions, followEvents, Rejected } from './event-source.ts';
import { forward, newSecret } from './forward.ts';

/**
 * Prints the events of an account as they happen, and posts them to a URL, signed like webhooks: `npm run listen`, `npm run
 * listen -- --forward http://localhost:3000/hooks`. The key is that of the demo's family, or of `--account school`, or
 * `API_KEY` with `BASE_URL`.
 */
const USAGE = `Usage: npm run listen -- [options]

  --forward URL    posts each event to URL, signed by Standard Webhooks
  --after N        begins after the event with this sequence; 0: all that are kept; by default after the newest
  --account KIND   family (default) or school: which account of the demo

Environment: API_KEY and BASE_URL (with /v1) for another account or server, WEBHOOK_SECRET for a secret of your own.`;

interface Demo {
  base_url: string;
  accounts: Record<string, { id: string; key: string }>;
}

interface Settings {
  baseUrl: string;
  key: string;
  after: string | undefined;
  forwardTo: string | undefined;
  secret: string;
}

function exitWith(message: string): never {
  console.error(message);
  process.exit(1);
}

function readOptions() {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({ options: { forward: text, after: text, account: { ...text, default: 'family' } } }).values;
  } catch (error) {
    return exitWith(`${(error as Error).message}\n\n${USAGE}`);
  }
}

function readSettings(): Settings {
  const { forward: forwardTo, after, account } = readOptions();
  const { API_KEY, BASE_URL, WEBHOOK_SECRET } = process.env;
  const demo = readJson(path.join(LOCAL, 'demo.json')) as Demo | null;
  const key = API_KEY ?? demo?.accounts[account]?.key;
  const baseUrl = (BASE_URL ?? demo?.base_url)?.replace(/\/$/, '');
  if (!key || !baseUrl)
    return exitWith(`Start the product with \`npm start\`, or set API_KEY and BASE_URL.\n\n${USAGE}`);
  if (after !== undefined && !/^\d+$/.test(after))
    return exitWith(`--after is a number; you gave ${after}.\n\n${USAGE}`);
  if (forwardTo !== undefined && !URL.canParse(forwardTo))
    return exitWith(`--forward is a URL; you gave ${forwardTo}.\n\n${USAGE}`);
  return { baseUrl, key, after, forwardTo, secret: WEBHOOK_SECRET ?? newSecret() };
}

async function show(data: string, { forwardTo, secret }: Settings): Promise<void> {
  const { id, type, timestamp, sequence, data: about } = JSON.parse(data);
  const line = `${timestamp}  ${sequence}  ${type}  ${about.object.id}`;
  if (!forwardTo) console.log(line);
  else console.log(`${line}  -> ${await forward(forwardTo, secret, { id, body: data })}`);
}

async function listen(settings: Settings): Promise<void> {
  const { baseUrl, key, after, forwardTo, secret } = settings;
  const options: EventSourceOptions = {
    baseUrl,
    key,
    lastEventId: after,
    onOpen: (position) => console.error(`Listening to ${baseUrl}/events/stream after event ${position}.`),
    onRetry: (reason, waitMs) => console.error(`Disconnected (${reason}); connecting again in ${waitMs / 1_000} s.`),
  };
  if (forwardTo) console.error(`Forwarding to ${forwardTo}. The secret that signs is ${secret}`);
  for await (const { event, data } of followEvents(options)) {
    if (event === undefined) await show(data, settings);
    else console.error(`${event}: ${data}`);
  }
}

await listen(readSettings()).catch((error: unknown) => {
  if (error instanceof Rejected) exitWith(error.message);
  throw error;
});
