import { connect, createServer, type Server, type Socket } from 'node:net';
import { isWorkWrite } from '@swim/testing';

const OP_MSG = 2013;
// A message is its header and flags, followed by its first section, the command, whose first member is its name.
const NAME_AT = 26;

/** A proxy of the database that can hold one write back, as though its client had stopped before sending it. */
export class HeldWrites {
  private readonly sockets = new Set<Socket>();
  private readonly server: Server = createServer((client) => this.join(client));
  private left = 0;
  private hold: PromiseWithResolvers<void> | null = null;

  private constructor(private readonly target: URL) {}

  static async before(mongodbUri: string): Promise<HeldWrites> {
    const held = new HeldWrites(new URL(mongodbUri));
    await new Promise<void>((resolve) => held.server.listen(0, '127.0.0.1', resolve));
    return held;
  }

  /** The address for the clients whose writes are to be held. */
  get uri(): string {
    const uri = new URL(this.target);
    uri.host = `127.0.0.1:${(this.server.address() as { port: number }).port}`;
    uri.searchParams.set('directConnection', 'true');
    return uri.href;
  }

  /** Whether a write is being held. */
  get isHolding(): boolean {
    return this.hold !== null;
  }

  /** Holds the nth write from now on; later ones pass. */
  holdWrite(n: number): void {
    this.left = n;
  }

  /** Forwards the held write, and holds no further one. */
  release(): void {
    this.left = 0;
    this.hold?.resolve();
    this.hold = null;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private join(client: Socket): void {
    const database = connect({ host: this.target.hostname, port: Number(this.target.port || 27_017) });
    database.pipe(client);
    let rest = Buffer.alloc(0);
    let sent = Promise.resolve();
    client.on('data', (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk]);
      while (rest.length >= 4 && rest.length >= rest.readInt32LE(0)) {
        const message = rest.subarray(0, rest.readInt32LE(0));
        rest = rest.subarray(message.length);
        const isFree = this.passes(message);
        sent = sent.then(() => isFree).then(() => void database.write(message));
      }
    });
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

  private passes(message: Buffer): Promise<void> | undefined {
    if (this.left === 0 || message.readInt32LE(12) !== OP_MSG) return;
    const nameEnd = message.indexOf(0, NAME_AT);
    const name = message.toString('latin1', NAME_AT, nameEnd);
    if (!isWorkWrite(name, collectionOf(message, nameEnd)) || --this.left > 0) return;
    this.hold = Promise.withResolvers<void>();
    return this.hold.promise;
  }
}

/** The value of the command's first member: its length in 4 bytes, then the name with its final zero. */
const collectionOf = (message: Buffer, nameEnd: number): string =>
  message.toString('latin1', nameEnd + 5, nameEnd + 4 + message.readInt32LE(nameEnd + 1));
