import { BUS_SETUP, connectAccount, exitWhenClosed, StreamKeeper } from '@swim/messaging/client';
import { createLogger, HealthServer } from '@swim/platform';
import { config } from './bus-setup/config.js';

// Makes the streams and consumers of NATS, and again when they are lost. A process of its own, since its user may do what no other
// process may: it handles no requests and no events.
const logger = createLogger(BUS_SETUP, config.LOG_LEVEL);
const health = new HealthServer();
await health.listen(config.HEALTH_PORT, config.HEALTH_HOST);
const connection = await connectAccount(BUS_SETUP, 'events', config, logger);
exitWhenClosed(connection, () => false, logger);
health.addCheck('nats', async () => void (await connection.rtt()));
// Every definition is made whole or not at all: nothing is left to finish.
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => process.exit(0));
await new StreamKeeper(connection, logger, undefined, config.STREAM_REPLICAS).keep(() => health.ready());
