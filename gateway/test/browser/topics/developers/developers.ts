import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { WebhookDelivery, WebhookEndpoint } from '@swim/contracts';
import { until } from '@swim/testing';
import { Webhook } from 'standardwebhooks';
import { anOwner, button, type Owner, open, useKeyUntilRevoked } from '../../browser-fixtures.js';

interface Received {
  readonly headers: Record<string, string>;
  readonly body: string;
}

describe('a developer', () => {
  let owner: Owner;
  let receiver: Server;
  const received: Received[] = [];
  beforeAll(async () => {
    receiver = createServer(async (incoming, answer) => {
      received.push({ headers: incoming.headers as Record<string, string>, body: await text(incoming) });
      answer.end('thank you');
    }).listen(0, '127.0.0.1');
    owner = await anOwner();
  });
  afterAll(() => void receiver?.close());

  it('generates a key of the sandbox that works until it is revoked', async () => {
    await open(owner.page, 'sandbox/developers/keys');
    expect(await useKeyUntilRevoked(owner.page)).toMatch(/^swl_test_/);
  });

  it('sees what a webhook endpoint was sent, signed, and what it answered, and sends it again', async () => {
    const { page } = owner;
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    await open(page, 'sandbox/developers/webhooks');
    await button(page, 'Add endpoint').first().click();
    await page.getByRole('dialog').getByLabel('URL').fill(url);
    await button(page.getByRole('dialog'), 'Add endpoint').click();
    const secret = await page.getByRole('textbox', { name: 'Signing secret' }).inputValue();
    await button(page, 'Done').click();
    await page.getByRole('link', { name: url }).click();
    await button(page, 'Send ping').click();
    await page.getByRole('link', { name: 'ping' }).click();
    await page.getByText('thank you').waitFor();
    expect(await page.locator('pre').first().textContent()).toContain('"type": "ping"');
    await button(page, 'Retry now').click();
    await page.getByText('Attempt 2').waitFor();
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    for (const { headers, body } of received)
      expect(new Webhook(secret).verify(body, headers)).toMatchObject({ type: 'ping' });
  });

  it('finds the failed deliveries of an endpoint, and replays from the first of them', async () => {
    const { page, office } = owner;
    const failing = createServer((_, answer) => answer.writeHead(410).end()).listen(0, '127.0.0.1');
    await once(failing, 'listening');
    const url = `http://127.0.0.1:${(failing.address() as AddressInfo).port}/`;
    const endpoint = await office.make<WebhookEndpoint>('/webhook-endpoints', { url, events: ['member.created'] });
    const list = `/webhook-endpoints/${endpoint.id}/deliveries`;
    await office.make(`/accounts/${office.id}/members`, { name: 'Mia', date_of_birth: '2017-05-04' });
    await until(
      async () => (await office.read<WebhookDelivery[]>(list)).some((each) => each.status === 'failed'),
      'a delivery has failed',
    );
    const [failed] = await office.read<WebhookDelivery[]>(list);
    const { sequence } = await office.read<{ sequence: number }>(`/events/${failed!.event_id}`);
    await open(page, `sandbox/developers/webhooks/${endpoint.id}`);
    await page.getByLabel('State').selectOption('succeeded');
    await page.getByText('No delivery is in this state').waitFor();
    await page.getByLabel('State').selectOption('failed');
    await page.getByRole('link', { name: 'member.created' }).waitFor();
    await button(page, 'Replay events').click();
    expect(await page.getByRole('dialog').getByLabel('After sequence').inputValue()).toBe(String(sequence - 1));
    failing.close();
  });

  it('sees an event as it happens', async () => {
    const { page, office } = owner;
    await open(page, 'sandbox/developers/events');
    await page.getByText('Updates by itself').waitFor();
    await office.make(`/accounts/${office.id}/members`, { name: 'Mia', date_of_birth: '2017-05-04' });
    await page.getByText('member.created').first().waitFor();
  });
});
