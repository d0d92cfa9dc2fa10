import { setTimeout as sleep } from 'node:timers/promises';
import type { Booking, Member } from '@swim/contracts';
import { DEMO_MEMBERS } from '../../../libs/contracts/src/sandbox/demo-data.ts';
import type { Deployment } from './deployment.ts';
import { bookingOf, type Customers, makeCustomers } from './first-booking.ts';
import { lookUntil } from './look-until.ts';
import type { Report, Seen } from './report.ts';
import { checkProcesses, ProcessWatch } from './secrets/exposed.ts';
import { SecretFiles } from './secrets/settings.ts';
import { BASELINE, UnderLoad } from './under-load.ts';

const BASELINE_MS = 15_000;
/** Encrypted with keys of the account and of the member, which are in the databases of keys. */
const NOTES = 'No butterfly, please.';
const ANSWERED_WITHIN_MS = 60_000;
const ERASED_WITHIN_MS = 180_000;
const SERVICES = 'people scheduling booking payment notification audit';
const ERASURES = 'docker compose exec -T people node dist/erasures.js';
/** As deploy/README.md says. */
const RESTORE = [
  `docker compose stop gateway ${SERVICES}`,
  'sh deploy/mongo/backup.sh restore backup-1',
  `docker compose start ${SERVICES}`,
  `${ERASURES} replay - < erasures.json`,
].join(' && ');

/** Backs the databases up under load, erases a member, and restores the backup: what was acknowledged is there, and the erased is not. */
export async function backup(deployment: Deployment, report: Report) {
  const { sh } = deployment;
  report.begin('A backup made under load, 20 requests a second, is restored after an erasure');
  await sh('rm -rf backup-1 erasures.json');
  await deployment.startAnew();
  const customers = await makeCustomers(deployment);
  const { family, familyId } = customers;
  const member = await family.create<Member>(`/accounts/${familyId}/members`, 'member', DEMO_MEMBERS[1]!);
  const book = (more: object) =>
    family.create<Booking>('/bookings', 'booking', { ...bookingOf(customers), notes: NOTES, ...more });
  const [kept, erased] = [await book({}), await book({ member_ids: [member.id] })];
  const load = new UnderLoad(deployment, report, customers);
  if (!(await load.during(BASELINE, () => sleep(BASELINE_MS)))) return;
  const acknowledged = [...load.made];
  const watch = new ProcessWatch();
  await load.during('`sh deploy/mongo/backup.sh dump backup-1`', () => sh('sh deploy/mongo/backup.sh dump backup-1'));
  const during = load.made.slice(acknowledged.length);
  const later = await book({});
  await eraseAndRestore(deployment, report, customers, member);
  watch.end();
  const status = (place: string, wanted: number) => async (): Promise<Seen> => {
    const seen = await ask(deployment, customers, 'GET', place);
    return { seen: String(seen), passed: seen === wanted };
  };
  await report.row('the erased member', '404', status(`/members/${member.id}`, 404));
  await report.row('a booking made after the backup', '404', status(`/bookings/${later.id}`, 404));
  await checkNotes(report, customers, kept, erased);
  await report.row('what was acknowledged before the backup', 'all of it', () =>
    areThere(acknowledged, deployment, customers),
  );
  await load.during('requests after the restore', () => sleep(BASELINE_MS));
  await load.audit(during);
  await checkProcesses(report, new SecretFiles(deployment), watch);
  // The guide says to make one of this name.
  await sh('rm -rf backup-1 erasures.json');
}

async function checkNotes(report: Report, { family }: Customers, kept: Booking, erased: Booking) {
  const notesOf = async ({ id }: Booking) => (await family.get<Booking>(`/bookings/${id}`)).notes;
  await report.row('notes of a booking, and of one of the erased member', `${NOTES}, null`, async () => {
    const isErased = (notes: string | null) => notes === null;
    const ofErased = await lookUntil(() => notesOf(erased), isErased, ERASED_WITHIN_MS);
    const own = await notesOf(kept);
    return { seen: `${own}, ${ofErased}`, passed: own === NOTES && isErased(ofErased) };
  });
}

async function eraseAndRestore(deployment: Deployment, report: Report, customers: Customers, { id }: Member) {
  const { sh } = deployment;
  await report.row('`DELETE /members/{member_id}`, and the list of erasures', '204, then 404', async () => {
    const statuses = [await ask(deployment, customers, 'DELETE', `/members/${id}`)];
    statuses.push(await ask(deployment, customers, 'GET', `/members/${id}`));
    await sh(`${ERASURES} export - > erasures.json`);
    return { seen: statuses.join(', then '), passed: statuses.join() === '204,404' };
  });
  await report.row(`\`${RESTORE.replaceAll(' && ', '; ')}\``, 'one erasure is replayed', async () => {
    const printed = (await sh(RESTORE)).trim().split('\n').at(-1)!;
    return { seen: printed, passed: JSON.parse(printed).replay === 1 };
  });
  await report.row(`\`${ERASURES} pending\``, '0', () => noneIsPending(deployment));
  await report.row('`docker compose start gateway`', 'requests are answered', async () => {
    await sh('docker compose start gateway');
    const list = () => ask(deployment, customers, 'GET', '/bookings?limit=1');
    const status = await lookUntil(list, (seen) => seen === 200, ANSWERED_WITHIN_MS);
    return { seen: String(status), passed: status === 200 };
  });
}

async function ask({ origin }: Deployment, { keys }: Customers, method: string, place: string): Promise<number> {
  const headers = { authorization: `Bearer ${keys.family}` };
  return (await fetch(`${origin}/v1${place}`, { method, headers })).status;
}

async function noneIsPending({ sh }: Deployment): Promise<Seen> {
  const startedAt = Date.now();
  const count = async (): Promise<number> =>
    JSON.parse((await sh(`${ERASURES} pending`)).trim().split('\n').at(-1)!).pending;
  const pending = await lookUntil(count, (seen) => seen === 0, ERASED_WITHIN_MS);
  return { seen: `${pending} after ${Math.round((Date.now() - startedAt) / 1_000)} s`, passed: pending === 0 };
}

const PLACES: Record<string, string> = { bkg: 'bookings', pay: 'payments' };

async function areThere(ids: string[], deployment: Deployment, customers: Customers): Promise<Seen> {
  const missing: string[] = [];
  for (const id of ids) {
    const place = PLACES[id.split('_')[0]!] ?? 'members';
    if ((await ask(deployment, customers, 'GET', `/${place}/${id}`)) !== 200) missing.push(id);
  }
  return { seen: `${ids.length - missing.length} of ${ids.length}`, passed: ids.length > 0 && missing.length === 0 };
}
