import { createLogger } from '@swim/platform';
import { readGatewayConfig } from './config.js';
import { HalfLoaded } from './engine.js';
import { type Gateway, startGateway } from './gateway.js';

const config = readGatewayConfig();
const logger = createLogger('gateway', config.LOG_LEVEL);

function endOnSignal(gateway: Gateway): void {
  const stop = (signal: string): void => {
    logger.info({ signal }, 'stopping');
    gateway.stop().then(
      () => process.exit(0),
      (error) => {
        logger.error({ err: error }, 'did not stop in order');
        process.exit(1);
      },
    );
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

try {
  endOnSignal(await startGateway(config));
} catch (error) {
  if (error instanceof HalfLoaded) process.stderr.write(`The gateway does not start half loaded: ${error.message}\n`);
  else logger.fatal({ err: error }, 'could not start');
  process.exit(1);
}
