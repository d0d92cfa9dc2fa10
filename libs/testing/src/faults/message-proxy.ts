import { connect, createServer, type Server, type Socket } from 'node:net';
import { throughPort } from './chaos-proxy.js';

/** Opcode of the messages that hold commands. */
export const OP_MSG = 2013;

/** A client's connection to the database through a `MessageProxy`. */
export interface ProxiedConnection {
  /** Sends a message to the database. */
  forward(message: Buffer): void;
  /** Sends bytes to the client. */
  answer(bytes: Buffer): void;
}

/** Returns what handles each whole message of a new client, in order. What it does not forward never arrives. */
export type HandleMessages = (connection: ProxiedConnection) => (message: Buffer) => void;

/** A TCP proxy in front of a database that handles each message of its clients. */
export class MessageProxy {
  private readonly sockets = new Set<Socket>();
  private readonly server: Server = createServer((client) => this.join(client));

  private constructor(
    private readonly target: URL,
    private readonly handle: HandleMessages,
    private readonly changeAnswer: (bytes: Buffer) => Buffer,
  ) {}

  /** Listens on a free port of 127.0.0.1. `changeAnswer` gets what the database sends, as it comes. */
  static async before(
    mongodbUri: string,
    handle: HandleMessages,
    changeAnswer = (bytes: Buffer): Buffer => bytes,
  ): Promise<MessageProxy> {
    const proxy = new MessageProxy(new URL(mongodbUri), handle, changeAnswer);
    await new Promise<void>((resolve) => proxy.server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  /** The address for clients. */
  get uri(): string {
    return throughPort(this.target, (this.server.address() as { port: number }).port);
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private join(client: Socket): void {
    const database = connect({ host: this.target.hostname, port: Number(this.target.port || 27_017) });
    database.on('data', (bytes) => client.write(this.changeAnswer(bytes)));
    const forward = (message: Buffer) => void database.write(message);
    const answer = (bytes: Buffer) => void client.write(bytes);
    client.on('data', eachMessage(this.handle({ forward, answer })));
    for (const socket of [client, database]) {
      this.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        client.destroy();
        database.destroy();
        this.sockets.delete(socket);
      });
    }
  }
}

/** Divides a stream of bytes into messages, whose first four bytes are their length. */
function eachMessage(handle: (message: Buffer) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 4 && rest.length >= rest.readInt32LE(0)) {
      const message = rest.subarray(0, rest.readInt32LE(0));
      rest = rest.subarray(message.length);
      handle(message);
    }
  };
}
