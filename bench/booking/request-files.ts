import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { gatewayProcess, SERVICES, serviceProcess } from '../../deploy/local/stack/product-processes.ts';
import { ROOT } from '../../deploy/system/paths.mjs';
import { freePort } from '../../deploy/system/processes/ports.ts';
import { figure } from '../measuring/report.ts';
import { PROCESSES, type Run } from '../stack/stack.ts';
import { manyAtOnce, oneByOne } from './counting.ts';
import { bookingRequest, startOurs } from './sides.ts';

const WARM_UP = 20;
// A function counts when it ran in most of 20 bookings, because background work runs beside some requests only.
const BOOKINGS = 20;
const LEAST_SHARE = 0.9;
// Work that follows a booking starts when its write is acknowledged, and may run before the response has arrived.
const BACKGROUND = /^(libs\/(mongo\/src\/outbox|messaging\/src\/(events|publishing))|services\/notification)\//;
const PAUSE_MS = 500;

interface FunctionCoverage {
  url: string;
  functions: { functionName: string; ranges: { startOffset: number; count: number }[] }[];
}

/**
 * Finds the source files whose functions run while POST /v1/bookings is answered, in all processes, by the coverage of
 * V8.
 * @returns their paths and number as text.
 */
export async function requestFiles(run: Run): Promise<string> {
  const stack = await run.stack();
  const side = await startOurs(run, stack, 1);
  const processes = await relaunchWithInspectors(run, stack.env, Number(new URL(stack.origin).port));
  const request = bookingRequest(side);
  await manyAtOnce(side, request, { count: WARM_UP, clients: 1 });
  const timesRun = new Map<string, number>();
  for (let booking = 0; booking < BOOKINGS; booking += 1) {
    await side.drain();
    await sleep(PAUSE_MS);
    await Promise.all(processes.map((each) => each.take()));
    await oneByOne(side, request, 1, 0);
    const functions = (await Promise.all(processes.map((each) => each.take()))).flat();
    for (const name of new Set(functions)) timesRun.set(name, (timesRun.get(name) ?? 0) + 1);
  }
  for (const each of processes) each.close();
  const always = [...timesRun].filter(([, times]) => times >= LEAST_SHARE * BOOKINGS);
  const files = [...new Set(always.map(([name]) => name.split('#')[0]!))]
    .filter((file) => !BACKGROUND.test(file))
    .sort();
  return [
    ...files.map((file) => `  ${file}`),
    figure('files run by POST /v1/bookings', files.length, { atMost: 65 }),
    '',
  ].join('\n');
}

/** Restarts each process with an inspector and unbundled code, and starts counting the calls of its functions. */
async function relaunchWithInspectors({ supervisor }: Run, env: Record<string, string>, port: number) {
  await supervisor.stop(PROCESSES);
  return Promise.all(
    PROCESSES.map(async (name) => {
      const inspector = await freePort();
      const own = { ...env, NODE_OPTIONS: `--inspect=127.0.0.1:${inspector}` };
      const service = SERVICES.find((each) => each === name);
      await supervisor.launch(
        await (service ? serviceProcess(service, own, 'dist') : gatewayProcess(port, own, 'dist')),
      );
      return functionsOf(inspector);
    }),
  );
}

/** Connects to the inspector of a process; `take` returns the functions that have run since it was last called. */
async function functionsOf(inspector: number) {
  const answer = await fetch(`http://127.0.0.1:${inspector}/json/list`);
  const [target] = (await answer.json()) as { webSocketDebuggerUrl: string }[];
  const socket = new WebSocket(target!.webSocketDebuggerUrl);
  await once(socket, 'open');
  const send = async (method: string, params = {}): Promise<{ result: FunctionCoverage[] }> => {
    const answered = once(socket, 'message');
    socket.send(JSON.stringify({ id: 1, method, params }));
    return JSON.parse((await answered)[0].data).result;
  };
  await send('Profiler.enable');
  await send('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const take = async () => (await send('Profiler.takePreciseCoverage')).result.flatMap(namesOf);
  return { take, close: () => socket.close() };
}

/** Returns `<source file>#<function>` of each function of the project that has run. */
function namesOf({ url, functions }: FunctionCoverage) {
  if (!url.startsWith('file:') || url.includes('/node_modules/')) return [];
  const [, file] = fileURLToPath(url).split(`${ROOT}/`);
  const source = file?.replace('/dist/', '/src/').replace(/\.js$/, '.ts');
  return functions
    .filter(({ ranges: [range] }) => range!.count > 0)
    .map(({ ranges: [range], functionName }) => `${source}#${functionName}@${range!.startOffset}`);
}
