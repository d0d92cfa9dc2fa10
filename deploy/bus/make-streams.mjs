import { messaging } from './messaging.mjs';

/**
 * Makes the streams of the bus where no notification runs that would.
 * @param {string} natsUrl of a server that lets everybody do everything.
 */
export async function makeStreams(natsUrl) {
  const { connectNats, StreamKeeper } = await messaging();
  const logger = { warn() {} };
  const connection = await connectNats(natsUrl, 'streams', logger);
  await new StreamKeeper(connection, logger).ensure().finally(() => connection.close());
}
