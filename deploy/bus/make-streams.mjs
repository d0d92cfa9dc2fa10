import { messaging } from './messaging.mjs';

/**
 * Creates the NATS streams where notification does not run.
 * @param {string} natsUrl of a server without permissions.
 */
export async function makeStreams(natsUrl) {
  const { connectNats, StreamKeeper } = await messaging();
  const logger = { warn() {} };
  const connection = await connectNats(natsUrl, 'streams', logger);
  await new StreamKeeper(connection, logger).ensure().finally(() => connection.close());
}
