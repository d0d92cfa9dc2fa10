import { type JetStreamClient, jetstream } from '@nats-io/jetstream';
import { headers, type Msg, type NatsConnection } from '@nats-io/transport-node';
import type { BusEvent, Environment, KeyInvalidation, ServiceName } from '@swim/contracts';
import { EventSink, type Outcome } from '@swim/platform';
import { BusConnection } from '../connection/bus-connection.js';
import { JETSTREAM } from '../connection/connection.js';
import { ReplyMux } from '../connection/reply-mux.js';
import { bodyOf, type EventGroup, groupsOf, messageIdOf } from '../streams/event-messages.js';
import { signalEvents } from '../streams/event-signals.js';
import { keySubject } from '../streams/key-invalidations.js';
import { identityOf, NoStream, untilStreamsAreMade } from '../streams/stream-keeper.js';
import { eventStream } from '../streams/streams.js';

const PUBLISH_TIMEOUT_MS = 5_000;
const MESSAGE_ID = 'Nats-Msg-Id';
const NO_RESPONDERS = 503;

/** JetStream acknowledges a stored message with this JSON. */
interface Acknowledgement {
  stream?: string;
  error?: { err_code?: number; description?: string };
}

function checkStored(reply: Msg): void {
  if (reply.headers?.code === NO_RESPONDERS) throw new NoStream('No stream stores events.');
  const { stream, error } = reply.json<Acknowledgement>();
  if (!stream) throw new Error(`JetStream did not store the event: ${error?.description ?? 'no stream'}`);
}

/** Subject of an event: `event.<env>.<service>.<type>.<object id>`. */
export const eventSubject = (service: ServiceName, event: BusEvent): string =>
  `event.${event.env}.${service}.${event.type}.${event.objectId}`;

/**
 * Publishes events to the stream of their environment; resolves when JetStream has stored them on disk. The events of
 * one write share messages; all acknowledgements arrive at one inbox.
 */
export class EventPublisher extends EventSink {
  private readonly jetStream: JetStreamClient;
  private readonly acknowledgements: ReplyMux;

  constructor(
    private readonly service: ServiceName,
    private readonly connection: NatsConnection,
  ) {
    super();
    this.jetStream = jetstream(connection, JETSTREAM);
    this.acknowledgements = new ReplyMux(
      connection,
      new BusConnection(connection),
      () => new Error('JetStream did not acknowledge the event in time.'),
    );
  }

  /**
   * Publishes one event as its own message. Its id is the message id, so JetStream drops a repeated publish within the
   * window for duplicates.
   */
  async publish(event: BusEvent): Promise<void> {
    for (const group of groupsOf([event])) await this.putMessage(group);
  }

  /** Publishes events of one write that have the same consumers as one message, under the subject of the first. */
  async publishAll(events: readonly BusEvent[]): Promise<Outcome[]> {
    const outcomes = groupsOf(events).map(async (group) => {
      const outcome = await this.putMessage(group).catch((error: Error) => error);
      return group.events.map(() => outcome || undefined);
    });
    return (await Promise.all(outcomes)).flat();
  }

  /**
   * Publishes the invalidation of a key to all gateways; resolves when the stream of keys has stored it on disk. `n` counts
   * the changes of this key: a repeated publish of one adds nothing.
   */
  publishKeyInvalidation(env: Environment, n: number, invalidation: KeyInvalidation): Promise<void> {
    return this.put(keySubject(env, invalidation.keyId), JSON.stringify(invalidation), `${invalidation.keyId}.${n}`);
  }

  /** Signals that accounts have new events; a signal may be lost. */
  signal(env: Environment, accountIds: Iterable<string>): void {
    // Without the signal, open streams read by themselves every few seconds.
    if (this.connection.isClosed()) return;
    for (const accountId of accountIds) signalEvents(this.connection, env, accountId);
  }

  /** The identity of an environment's event stream, which changes when it is lost and created anew. */
  async identifyStream(env: Environment): Promise<string> {
    const { streams } = await this.jetStream.jetstreamManager(false);
    return untilStreamsAreMade(async () => identityOf(await streams.info(eventStream(env))));
  }

  private putMessage(group: EventGroup): Promise<void> {
    return this.put(eventSubject(this.service, group.events[0]), bodyOf(group), messageIdOf(group));
  }

  private async put(subject: string, body: string, messageId: string): Promise<void> {
    await untilStreamsAreMade(async () => checkStored(await this.send(subject, body, messageId)));
  }

  private send(subject: string, body: string, messageId: string): Promise<Msg> {
    const { subject: reply, message, abandon } = this.acknowledgements.expect(PUBLISH_TIMEOUT_MS);
    const withId = headers();
    withId.append(MESSAGE_ID, messageId);
    try {
      this.connection.publish(subject, body, { reply, headers: withId });
    } catch (error) {
      abandon(error as Error);
    }
    return message;
  }
}
