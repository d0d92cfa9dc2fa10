import type { NatsConnection } from '@nats-io/transport-node';

/**
 * Collects messages published from now on, in order and each once: a service that does not know whether a publish succeeded
 * repeats it under the same message id, by which a stream drops duplicates. A message of several events counts as those events.
 * Resolves when no later message is missed.
 */
export async function collectMessages<T>(connection: NatsConnection, subject: string): Promise<T[]> {
  const [received, known]: [T[], Set<string>] = [[], new Set()];
  connection.subscribe(subject, {
    callback: (_, message) => {
      const id = message.headers?.get('Nats-Msg-Id');
      if (id && known.has(id)) return;
      if (id) known.add(id);
      received.push(...([message.json<T | T[]>()].flat() as T[]));
    },
  });
  await connection.flush();
  return received;
}
