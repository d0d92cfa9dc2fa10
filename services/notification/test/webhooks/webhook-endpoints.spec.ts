import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createWebhookEndpoint,
  eraseEventsOfAccount,
  getWebhookEndpoint,
  type InputOf,
  listWebhookEndpoints,
  type Principal,
  removeWebhookEndpoint,
  rotateWebhookSecret,
  updateWebhookEndpoint,
} from '@swim/contracts';
import type { RunningService } from '@swim/messaging';
import { type AppError, newId } from '@swim/platform';
import { aPrincipal, type RequestOptions, rejectionOf, startHarness, type TestHarness, until } from '@swim/testing';
import { allowPrivateTargets, startHere, untilDone } from '../in-process.js';

const URL = 'https://93.184.216.34/webhooks';
const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;

let harness: TestHarness;
let service: RunningService;
beforeAll(async () => {
  harness = await startHarness();
  service = await startHere();
});
afterAll(async () => {
  await service?.stop();
  await harness?.stop();
});

type Input = Partial<InputOf<typeof createWebhookEndpoint>>;

const create = (principal: Principal, input: Input = {}, options: RequestOptions = {}) =>
  harness.call(createWebhookEndpoint, { url: URL, ...input }, { principal, ...options });
const get = (principal: Principal, webhook_endpoint_id: string) =>
  harness.call(getWebhookEndpoint, { webhook_endpoint_id }, { principal });
const update = (
  principal: Principal,
  webhook_endpoint_id: string,
  changes: InputOf<typeof updateWebhookEndpoint>['changes'],
) => harness.call(updateWebhookEndpoint, { webhook_endpoint_id, changes }, { principal });
const count = async (principal: Principal) =>
  (await harness.call(listWebhookEndpoints, {}, { principal })).pagination.total;
const reasonOf = async (work: Promise<unknown>) => (await rejectionOf(work)).reason;

describe('a webhook endpoint', () => {
  it('has the public shape, and shows its secret only when it is made', async () => {
    const owner = aPrincipal();
    const { secret, ...made } = await create(owner, {
      events: ['booking.created', 'session.cancelled'],
      description: 'CRM',
      metadata: { crm_id: '4711' },
    });
    expect(secret).toMatch(SECRET);
    expect(made).toEqual({
      object: 'webhook_endpoint',
      id: expect.stringMatching(/^whe_/),
      url: URL,
      events: ['booking.created', 'session.cancelled'],
      description: 'CRM',
      enabled: true,
      disabled_reason: null,
      metadata: { crm_id: '4711' },
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect(await get(owner, made.id)).toEqual(made);
    expect((await harness.call(listWebhookEndpoints, {}, { principal: owner })).items).toEqual([made]);
  });

  it('is listed by its id, and by when it changed', async () => {
    const owner = aPrincipal();
    const [first, second] = [await create(owner), await create(owner)];
    const changed = await update(owner, first.id, { description: 'Changed' });
    const listed = async (filters: object) =>
      (await harness.call(listWebhookEndpoints, filters, { principal: owner })).items.map(({ id }) => id);
    expect(await listed({ ids: `${first.id},${newId('whe')}` })).toEqual([first.id]);
    expect(await listed({ updated_from: changed.updated_at })).toEqual([first.id]);
    expect(await listed({ updated_to: changed.updated_at })).toEqual([second.id]);
    expect(await reasonOf(listed({ updated_from: '2027-03-02', updated_to: '2027-03-01' }))).toBe('range_reversed');
  });

  it('receives all types of event by default, and its secret is stored encrypted', async () => {
    const owner = aPrincipal();
    const made = await create(owner);
    expect(made).toMatchObject({ events: ['*'], description: null, metadata: {}, enabled: true });
    const stored = await harness.database('notification_test').collection('webhook_endpoints').find({}).toArray();
    expect(stored.length).toBeGreaterThan(0);
    expect(JSON.stringify(stored)).not.toContain(made.secret!.slice(6));
  });

  it('is made once by a repeated request, with the same secret', async () => {
    const owner = aPrincipal();
    const options = { idempotencyKey: 'make once' };
    expect(await create(owner, {}, options)).toEqual(await create(owner, {}, options));
    expect(await count(owner)).toBe(1);
  });

  it('is not stored by a dry run, which shows no secret', async () => {
    const owner = aPrincipal();
    expect(await create(owner, {}, { dryRun: true })).toMatchObject({ url: URL, secret: null });
    expect(await count(owner)).toBe(0);
  });

  it('is changed field by field, and its metadata key by key', async () => {
    const owner = aPrincipal();
    const { id } = await create(owner, { description: 'old', metadata: { a: '1', b: '2' } });
    const changed = await update(owner, id, { description: null, enabled: false, metadata: { a: null, c: '3' } });
    expect(changed).toMatchObject({ description: null, enabled: false, metadata: { b: '2', c: '3' }, url: URL });
    expect(await get(owner, id)).toEqual(changed);
  });

  it('keeps the time of its last change when it is changed to what it is', async () => {
    const owner = aPrincipal();
    const { id } = await create(owner, { description: 'old', events: ['booking.created'], metadata: { a: '1' } });
    const made = await get(owner, id);
    const { url, description, enabled } = made;
    const same = { url, events: ['booking.created' as const], description, enabled, metadata: { a: '1', b: null } };
    expect(await update(owner, id, same)).toEqual(made);
    expect(await get(owner, id)).toEqual(made);
  });

  it('takes at most 50 keys of metadata in several changes: too_long', async () => {
    const owner = aPrincipal();
    const keys = (from: number, to: number) =>
      Object.fromEntries(Array.from({ length: to - from }, (_, index) => [`key${from + index}`, 'x']));
    const { id } = await create(owner, { metadata: keys(0, 40) });
    expect(await reasonOf(update(owner, id, { metadata: keys(40, 51) }))).toBe('too_long');
    expect(Object.keys((await update(owner, id, { metadata: keys(40, 50) })).metadata)).toHaveLength(50);
  });

  it('is gone after its removal', async () => {
    const owner = aPrincipal();
    const { id } = await create(owner);
    const remove = () => harness.call(removeWebhookEndpoint, { webhook_endpoint_id: id }, { principal: owner });
    await remove();
    expect(await reasonOf(get(owner, id))).toBe('resource_not_found');
    expect(await reasonOf(remove())).toBe('resource_not_found');
    expect(await count(owner)).toBe(0);
  });

  it.each([
    ['the type of an event', { events: ['booking.exploded'] }, 'events.0', 'invalid_value'],
    ['no type of event', { events: [] }, 'events', 'too_short'],
    ['a type given twice', { events: ['ping', 'ping'] }, 'events', 'duplicate_value'],
    ['another scheme', { url: 'ftp://example.com/' }, 'url', 'invalid_format'],
    ['a relative URL', { url: '/webhooks' }, 'url', 'invalid_format'],
    ['an IPv6 zone', { url: 'http://[fe80::1%25eth0]/' }, 'url', 'invalid_format'],
    ['user and password', { url: 'https://me:secret@example.com/' }, 'url', 'credentials_in_url'],
    [
      'a key of metadata that is too long',
      { metadata: { ['x'.repeat(41)]: '1' } },
      `metadata.${'x'.repeat(41)}`,
      'too_long',
    ],
    ['a reserved key of metadata', { metadata: { constructor: '1' } }, 'metadata.constructor', 'invalid_value'],
  ])('is rejected for %s', async (_, input, field, reason) => {
    const { details } = await rejectionOf(create(aPrincipal(), input as Input));
    expect(details).toMatchObject({ field, reason });
  });
});

/** The outcome of a request to make an endpoint, repeated while the storage is busy with others. */
async function decided(owner: Principal): Promise<string> {
  const options = { idempotencyKey: newId('req') };
  const passing: string[] = ['unavailable', 'overloaded', 'idempotency_in_progress', 'deadline_exceeded'];
  const attempt = async () => {
    const outcome = await create(owner, {}, options).then(
      () => 'made',
      ({ reason }: AppError) => reason,
    );
    return passing.includes(outcome) ? null : outcome;
  };
  return until(attempt, 'the request is decided');
}

describe('an account', () => {
  it('has at most 16 endpoints, also of concurrent requests: limit_reached', async () => {
    const owner = aPrincipal();
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => decided(owner)));
    expect(outcomes.filter((outcome) => outcome !== 'made')).toEqual(Array(4).fill('limit_reached'));
    expect(await count(owner)).toBe(16);
    expect(await reasonOf(create(owner, {}, { dryRun: true }))).toBe('limit_reached');
    const [first] = (await harness.call(listWebhookEndpoints, { limit: 1 }, { principal: owner })).items;
    await harness.call(removeWebhookEndpoint, { webhook_endpoint_id: first!.id }, { principal: owner });
    expect((await create(owner)).id).not.toBe(first!.id);
  });

  it('neither reads nor changes endpoints of another: resource_not_found', async () => {
    const [owner, other] = [aPrincipal(), aPrincipal()];
    const { id } = await create(owner);
    const requests = [
      get(other, id),
      update(other, id, { enabled: false }),
      harness.call(rotateWebhookSecret, { webhook_endpoint_id: id }, { principal: other }),
      harness.call(removeWebhookEndpoint, { webhook_endpoint_id: id }, { principal: other }),
      get(owner, newId('whe')),
    ];
    expect(await Promise.all(requests.map(reasonOf))).toEqual(Array(5).fill('resource_not_found'));
    expect(await count(other)).toBe(0);
  });

  it('that is erased has no endpoints, and gets none any more', async () => {
    const [owner, other] = [aPrincipal(), aPrincipal()];
    const { id } = await create(owner);
    await create(other);
    await untilDone(() => harness.call(eraseEventsOfAccount, { accountId: owner.accountId }, {}));
    expect(await reasonOf(get(owner, id))).toBe('resource_not_found');
    const stored = harness.database('notification_test').collection('webhook_endpoints');
    expect(await stored.countDocuments({ accountId: owner.accountId })).toBe(0);
    expect(await reasonOf(create(owner))).toBe('resource_not_found');
    expect(await count(other)).toBe(1);
  });
});

describe('the secret', () => {
  const rotate = (principal: Principal, webhook_endpoint_id: string, options: RequestOptions = {}) =>
    harness.call(rotateWebhookSecret, { webhook_endpoint_id }, { principal, ...options });

  it('is replaced by a rotation, by one only of a repeated request, and by none of a dry run', async () => {
    const owner = aPrincipal();
    const made = await create(owner);
    expect(await rotate(owner, made.id, { dryRun: true })).toMatchObject({ secret: null });
    const options = { idempotencyKey: 'rotate once' };
    const rotated = await rotate(owner, made.id, options);
    expect(rotated.secret).toMatch(SECRET);
    expect(rotated.secret).not.toBe(made.secret);
    expect(await rotate(owner, made.id, options)).toEqual(rotated);
    expect((await rotate(owner, made.id)).secret).not.toBe(rotated.secret);
    expect(await get(owner, made.id)).not.toHaveProperty('secret');
  });

  it('is replaced by a new request under a key whose record is gone', async () => {
    const owner = aPrincipal();
    const { id } = await create(owner);
    const options = { idempotencyKey: 'rotate twice' };
    const rotated = await rotate(owner, id, options);
    // The key is in the state that it has after 24 hours.
    await harness.database('notification_test').collection('idempotency').deleteMany({ accountId: owner.accountId });
    expect((await rotate(owner, id, options)).secret).not.toBe(rotated.secret);
  });
});

describe('the URL of an endpoint', () => {
  const FORBIDDEN = [
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://0177.0.0.1/',
    'http://0x7f000001/',
    'http://127.0.0.1./',
    'http://localhost/',
    'http://api.localhost./',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://0.0.0.0/',
    'http://10.0.0.1/',
    'http://100.64.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[fe80::1]/',
    'http://metadata.google.internal/',
  ];

  it.each(FORBIDDEN)('%s is not public: forbidden_target', async (url) => {
    const owner = aPrincipal();
    const rejected = await rejectionOf(create(owner, { url }));
    expect(rejected).toMatchObject({ code: 'VALIDATION_ERROR', details: { field: 'url', reason: 'forbidden_target' } });
    expect(await reasonOf(create(owner, { url }, { dryRun: true }))).toBe('forbidden_target');
  });

  it('is checked in a change as well: forbidden_target, https_required', async () => {
    const owner = aPrincipal();
    const { id } = await create(owner);
    expect(await reasonOf(update(owner, id, { url: 'https://10.0.0.1/' }))).toBe('forbidden_target');
    const live = aPrincipal({ env: 'live' });
    const ofLive = await create(live);
    expect(await reasonOf(update(live, ofLive.id, { url: 'http://93.184.216.34/' }))).toBe('https_required');
  });

  it('has https for live data: https_required; the sandbox takes http', async () => {
    const url = 'http://93.184.216.34/';
    expect(await reasonOf(create(aPrincipal({ env: 'live' }), { url }))).toBe('https_required');
    expect((await create(aPrincipal(), { url })).url).toBe(url);
  });

  it('may be private in a sandbox with WEBHOOK_ALLOW_PRIVATE, never link-local, and never for live data', async () => {
    await allowPrivateTargets(true);
    try {
      expect((await create(aPrincipal(), { url: 'http://localhost:8080/' })).enabled).toBe(true);
      expect((await create(aPrincipal(), { url: 'http://192.168.1.2/' })).enabled).toBe(true);
      expect(await reasonOf(create(aPrincipal(), { url: 'http://169.254.169.254/' }))).toBe('forbidden_target');
      const live = aPrincipal({ env: 'live' });
      expect(await reasonOf(create(live, { url: 'https://127.0.0.1/' }))).toBe('forbidden_target');
    } finally {
      await allowPrivateTargets(false);
    }
  });
});
