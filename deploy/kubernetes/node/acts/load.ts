import { setTimeout as sleep } from 'node:timers/promises';
import { bookOnce, type Customers, makeCustomers } from '../../../containers/checks/first-booking.ts';
import { failuresDuring } from '../../../containers/checks/load.ts';
import type { Report } from '../../../containers/checks/report.ts';
import { findGaps, readAudit } from '../../../containers/checks/under-load.ts';
import type { Product } from '../run-product.ts';

const BASELINE_MS = 30_000;
/** Audits once, with the settings of the pod otherwise: its image has no shell. */
const AUDIT =
  "process.env.AUDIT_MINUTES = ''; process.env.AUDIT_SETTLED_SECONDS = '0'; import('/app/service/dist/audit.js')";

/** Books in the cluster; returns the accounts, null where that fails. */
export async function bookFirst(product: Product, report: Report): Promise<Customers | null> {
  let customers: Customers | null = null;
  await report.row("a lesson is booked and paid by the gateway's Service", 'confirmed, succeeded', async () => {
    customers = await makeCustomers(product);
    const { status, payment } = await bookOnce(customers);
    return { seen: `${status}, ${payment}`, passed: status === 'confirmed' && payment === 'succeeded' };
  });
  return customers;
}

/** Does something under load; false where a request has failed. */
export type UnderLoad = (title: string, work: () => Promise<unknown>) => Promise<boolean>;

/** Acts that no request may fail under; afterwards the money is right, and no event is missing. */
export async function actUnderLoad(product: Product, report: Report, act: (under: UnderLoad) => Promise<void>) {
  const customers = await bookFirst(product, report);
  if (!customers) return;
  const made: string[] = [];
  const under: UnderLoad = (title, work) =>
    report.row(title, '0 failed', () => failuresDuring(product, customers, work, { made }));
  report.begin('20 requests a second');
  if (!(await under('nothing is done', () => sleep(BASELINE_MS)))) return;
  await act(under);
  await report.row('the audit', '0 differences', async () =>
    readAudit(await product.exec('audit', 'node', '--eval', AUDIT)),
  );
  await report.row('the events of the family', 'no gap, 0 missing', () => findGaps(customers, made));
}
