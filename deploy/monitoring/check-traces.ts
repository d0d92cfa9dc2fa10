import path from 'node:path';
import { startProduct } from '../clients/product.ts';
import { temporaryFolder } from '../system/files/temporary-folder.ts';
import { LOCAL } from '../system/paths.mjs';
import { waitUntil } from '../system/processes/ports.ts';
import { findJaeger, startJaeger, type Trace } from './jaeger.ts';

const OPERATION = 'POST /v1/bookings';
/** The processes that a booking passes through. */
const PROCESSES = ['gateway', 'booking', 'people', 'scheduling', 'notification'];
const WITHIN_MS = 60_000;

/** Has Jaeger collect the traces of the product, and checks that each booking of the demo data is one of them. */
export async function checkTraces(log: (line: string) => void): Promise<void> {
  const program = await findJaeger(log);
  const { folder, remove } = temporaryFolder();
  const { child, endpoint, tracesOf } = await startJaeger(program, folder);
  try {
    const product = await startProduct(path.join(LOCAL, 'traces.log'), { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
    await waitForBookings(() => tracesOf(OPERATION), log).finally(product.stop);
  } finally {
    child.kill();
    remove();
  }
}

async function waitForBookings(read: () => Promise<Trace[]>, log: (line: string) => void) {
  let bookings: Trace[] = [];
  const faults = () => (bookings.length > 0 ? bookings.flatMap(faultsOf) : ['no booking has a trace']);
  const areWhole = async () => {
    bookings = await read();
    return faults().length === 0;
  };
  if (!(await waitUntil(() => areWhole().catch(() => false), WITHIN_MS))) throw new Error(faults().join('\n'));
  const spans = bookings.reduce((sum, trace) => sum + trace.spans.length, 0);
  log(`${bookings.length} bookings, each one trace through ${PROCESSES.join(', ')}: ${spans} spans`);
}

/** What keeps a trace from being the whole of one booking. */
function faultsOf({ traceID, spans, processes }: Trace): string[] {
  const known = new Set(spans.map(({ spanID }) => spanID));
  const roots = spans.filter(({ references }) => !references.some(({ spanID }) => known.has(spanID)));
  const names = new Set(Object.values(processes).map(({ serviceName }) => serviceName));
  const missing = PROCESSES.filter((name) => !names.has(name));
  const isWhole = roots.length === 1 && roots[0]!.operationName === OPERATION && missing.length === 0;
  const begins = roots.map(({ operationName }) => operationName).join(', ');
  return isWhole ? [] : [`trace ${traceID} begins with ${begins}; it misses ${missing.join(', ') || 'no process'}`];
}
