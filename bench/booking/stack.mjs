import { freePort } from '../../deploy/local/ports.mjs';
import { gatewayProcess, SERVICES, serviceProcess } from '../../deploy/local/product-processes.mjs';

// The highest that the gateway takes; the minute is far below the hour, as wherever both are counted at once.
const HIGHEST = { RATE_LIMIT_PER_HOUR: '1000000000', RATE_LIMIT_PER_MINUTE: '1000000' };

/**
 * Starts the whole product: five services and the gateway.
 * @param {import('../run.mjs').Run} run
 * @param {Record<string, string>} [more] added to the environment of every process.
 * @returns {Promise<{origin: string, env: Record<string, string>}>} where the API is, and what the services were told.
 */
export async function startStack({ supervisor, env: given }, more = {}) {
  const env = { ...given, ...HIGHEST, ...more };
  const port = await freePort();
  const processes = [...SERVICES.map((name) => serviceProcess(name, env)), gatewayProcess(port, env)];
  const launched = await Promise.allSettled((await Promise.all(processes)).map((each) => supervisor.launch(each)));
  const failed = launched.find(({ status }) => status === 'rejected');
  if (failed) throw failed.reason;
  return { origin: `http://127.0.0.1:${port}`, env };
}
