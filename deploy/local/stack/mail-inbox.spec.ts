import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTransport } from 'nodemailer';
import { type MailInbox, startMailInbox } from './mail-inbox.ts';

let inbox: MailInbox;
beforeAll(async () => {
  inbox = await startMailInbox();
});
afterAll(() => inbox?.stop());

const read = async (path: string) => (await fetch(inbox.url + path)).text();

it('shows the mails that a client sent over SMTP, and runs nothing that is in them', async () => {
  expect(await read('/')).toContain('No e-mails yet');
  const transport = createTransport(inbox.smtpUrl);
  const subject = '<script>alert(1)</script>';
  await transport.sendMail({
    from: 'a@swim.example',
    to: 'b@swim.example',
    subject,
    text: 'Hello',
    html: '<p>Hello</p>',
  });
  transport.close();
  const [mail] = JSON.parse(await read('/messages.json'));
  expect(mail).toMatchObject({ to: ['b@swim.example'], from: 'a@swim.example', subject, text: 'Hello\n' });
  for (const path of ['/', `/${mail.id}`]) {
    expect(await read(path)).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(await read(path)).not.toContain('<script>');
  }
  expect(await read(`/${mail.id}.html`)).toContain('<p>Hello</p>');
  const { status, headers } = await fetch(`${inbox.url}/${mail.id}.html`);
  expect([status, headers.get('content-security-policy')]).toEqual([
    200,
    expect.stringContaining("default-src 'none'"),
  ]);
  expect((await fetch(`${inbox.url}/999`)).status).toBe(404);
});
