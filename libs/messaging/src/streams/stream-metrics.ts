import type { ConsumerInfo, StreamInfo } from '@nats-io/jetstream';
import { consumerWaiting, streamCheckedAt, streamMessages, streamReplicasMissing } from '@swim/platform';

/** Measures a stream. */
export function measureStream({ config, state, cluster }: StreamInfo): void {
  const labels = { stream: config.name };
  streamCheckedAt.setToCurrentTime(labels);
  streamMessages.set(labels, state.messages);
  // A server without a cluster names no leader.
  const leaders = cluster?.leader === '' ? 0 : 1;
  const followers = (cluster?.replicas ?? []).filter(({ current, offline }) => current && !offline).length;
  streamReplicasMissing.set(labels, Math.max(0, config.num_replicas - leaders - followers));
}

/** Measures what waits for a consumer. */
export function measureConsumer({ stream_name: stream, name: consumer, ...info }: ConsumerInfo): void {
  consumerWaiting.set({ stream, consumer }, info.num_pending + info.num_ack_pending);
}
