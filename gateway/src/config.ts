import { BlockList, isIP } from 'node:net';
import { busSettings, port, readConfig, tracingSettings } from '@swim/platform';
import { z } from 'zod';

const count = z.coerce.number().int().min(1).max(1_000_000_000);

function addRange(list: BlockList, range: string): boolean {
  const [address = '', bits, ...rest] = range.split('/');
  const family = isIP(address);
  const width = family === 4 ? 32 : 128;
  if (family === 0 || rest.length > 0 || (bits !== undefined && (!/^\d{1,3}$/.test(bits) || Number(bits) > width)))
    return false;
  list.addSubnet(address, bits === undefined ? width : Number(bits), family === 4 ? 'ipv4' : 'ipv6');
  return true;
}

const addressRanges = z.string().transform((text, context) => {
  const list = new BlockList();
  for (const range of text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)) {
    if (!addRange(list, range))
      context.addIssue({ code: 'custom', message: `"${range}" is neither an address nor a CIDR range` });
  }
  return list;
});

const contacts = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  )
  .refine((all) => all.every((contact) => /^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+|tel:\+[\d-]+)$/.test(contact)), {
    error: 'must be mailto:, https: or tel: URIs, comma-separated',
  });

const schema = z.object({
  /** Port and address of the public API. */
  PORT: port.default(8080),
  /** By default this machine only; set it to serve other machines. */
  HOST: z.string().default('127.0.0.1'),
  ...busSettings,
  ...tracingSettings,
  /** Port and address of `/health`, `/ready`, `/live` and `/metrics`, for operators. */
  HEALTH_PORT: port.default(9090),
  HEALTH_HOST: z.string().default('127.0.0.1'),
  /** Requests of an account and environment within a clock hour (contract, Limits). */
  RATE_LIMIT_PER_HOUR: count.default(1_000),
  /** Requests of an account within a clock minute; at most a million, the maximum of a minute in the counter. */
  RATE_LIMIT_PER_MINUTE: count.default(100).transform((limit) => Math.min(limit, 1_000_000)),
  /** Requests of a user of the dashboard within a clock minute, in both environments; sixty times as many within an hour. */
  DASHBOARD_RATE_LIMIT_PER_MINUTE: count.default(600).transform((limit) => Math.min(limit, 1_000_000)),
  /** Failed authentications of one address within a clock minute, counted by each replica. */
  FAILED_AUTH_PER_MINUTE: count.default(20),
  /** Connections at a time; one more is answered 503 and closed. */
  MAX_CONNECTIONS: count.default(10_000),
  /** Seconds after SIGTERM in which it still takes connections, and closes each with its next answer; the answers in flight end within the 30 seconds that a process has. */
  DRAIN_SECONDS: z.coerce.number().int().min(0).max(20).default(0),
  /** Contacts for reports of vulnerabilities, comma-separated URIs (mailto:, https:, tel:): `/.well-known/security.txt`. */
  SECURITY_CONTACT: contacts.default([]),
  /** Seconds for which browsers use TLS only; 0 leaves the header out. Sent where a trusted proxy reports TLS. */
  HSTS_MAX_AGE_SECONDS: z.coerce.number().int().min(0).max(63_072_000).default(31_536_000),
  /** Addresses and CIDR ranges whose X-Forwarded-For and -Proto are trusted, comma-separated; none when empty. */
  TRUSTED_PROXIES: addressRanges.default(new BlockList()),
  /** Set on a host that serves one environment only: keys of the other one are rejected. */
  PINNED_ENVIRONMENT: z.enum(['live', 'test']).optional(),
  /** Stripe's publishable key: with it, the dashboard has a page where families add cards in Stripe's own fields. */
  STRIPE_PUBLISHABLE_KEY: z
    .string()
    .regex(/^pk_(?:live|test)_\w{1,200}$/, { error: 'must be a publishable key of Stripe: pk_live_… or pk_test_…' })
    .optional(),
  /** Where the gateway is reached from outside; without it, `doc_url` of errors is relative to the request's own URL. */
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
});

export type Config = z.output<typeof schema>;

/** Reads the gateway's configuration; a wrong variable ends the process with a sentence (exit code 78). */
export const readGatewayConfig = (env: NodeJS.ProcessEnv = process.env): Config => readConfig(schema, env);
