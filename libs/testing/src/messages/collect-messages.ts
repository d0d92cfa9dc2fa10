import type { NatsConnection } from '@nats-io/transport-node';

/**
 * Collects the events published from now on, in order and each once: a service that does not know whether a publish succeeded
 * repeats it, maybe in another message. What has no id is known by that of its message, and is collected each time without one. Resolves
 * when no later message is missed.
 */
export async function collectMessages<T>(connection: NatsConnection, subject: string): Promise<T[]> {
  const [received, known]: [T[], Set<string>] = [[], new Set()];
  connection.subscribe(subject, {
    callback: (_, message) => {
      const messageId = message.headers?.get('Nats-Msg-Id');
      for (const [index, each] of ([message.json<T | T[]>()].flat() as T[]).entries()) {
        const id = (each as { id?: string }).id ?? (messageId && `${messageId}|${index}`);
        if (id && known.has(id)) continue;
        if (id) known.add(id);
        received.push(each);
      }
    },
  });
  await connection.flush();
  return received;
}
