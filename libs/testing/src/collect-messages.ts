import type { NatsConnection } from '@nats-io/transport-node';

/**
 * Collects the events published from now on, in order and each once: a service that does not know whether a publish succeeded
 * repeats it, maybe in another message. What has no id, as other messages, is collected each time. Resolves when no later message is
 * missed.
 */
export async function collectMessages<T>(connection: NatsConnection, subject: string): Promise<T[]> {
  const [received, known]: [T[], Set<string>] = [[], new Set()];
  connection.subscribe(subject, {
    callback: (_, message) => {
      const messageId = message.headers?.get('Nats-Msg-Id');
      if (messageId && known.has(messageId)) return;
      if (messageId) known.add(messageId);
      for (const each of [message.json<T | T[]>()].flat() as T[]) {
        const { id } = each as { id?: string };
        if (id && id !== messageId && known.has(id)) continue;
        if (id) known.add(id);
        received.push(each);
      }
    },
  });
  await connection.flush();
  return received;
}
