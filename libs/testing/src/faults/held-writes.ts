import { isWorkWrite } from './crash-after-writes.js';
import { MessageProxy, OP_MSG, type ProxiedConnection } from './message-proxy.js';

// A message is its header and flags, followed by its first section, the command, whose first member is its name.
const NAME_AT = 26;

/** A proxy of the database that can delay one write, as though its client had stopped before sending it. */
export class HeldWrites {
  private nth = 0;
  private left = 0;
  private hold: (PromiseWithResolvers<void> & { collection: string }) | null = null;
  private proxy!: MessageProxy;

  static async before(mongodbUri: string): Promise<HeldWrites> {
    const held = new HeldWrites();
    held.proxy = await MessageProxy.before(mongodbUri, (connection) => held.join(connection));
    return held;
  }

  /** The address for the clients whose writes may be delayed. */
  get uri(): string {
    return this.proxy.uri;
  }

  get isHolding(): boolean {
    return this.hold !== null;
  }

  get heldCollection(): string | undefined {
    return this.hold?.collection;
  }

  /** How many writes have passed since `holdWrite`, while none is held. */
  get passed(): number {
    return this.nth - this.left;
  }

  /** Holds the nth write from now on; later ones pass. */
  holdWrite(n: number): void {
    this.nth = n;
    this.left = n;
  }

  /** Forwards the held write, and holds no further one. */
  release(): void {
    this.left = 0;
    this.hold?.resolve();
    this.hold = null;
  }

  close(): Promise<void> {
    return this.proxy.close();
  }

  private join({ forward }: ProxiedConnection): (message: Buffer) => void {
    let sent = Promise.resolve();
    return (message) => {
      const isFree = this.passes(message);
      sent = sent.then(() => isFree).then(() => forward(message));
    };
  }

  private passes(message: Buffer): Promise<void> | undefined {
    if (this.left === 0 || message.readInt32LE(12) !== OP_MSG) return;
    const nameEnd = message.indexOf(0, NAME_AT);
    const name = message.toString('latin1', NAME_AT, nameEnd);
    const collection = collectionOf(message, nameEnd);
    if (!isWorkWrite(name, collection) || --this.left > 0) return;
    this.hold = { ...Promise.withResolvers<void>(), collection };
    return this.hold.promise;
  }
}

/** The value of the command's first member: its length in 4 bytes, then the name with its final zero. */
const collectionOf = (message: Buffer, nameEnd: number): string =>
  message.toString('latin1', nameEnd + 5, nameEnd + 4 + message.readInt32LE(nameEnd + 1));
