import { connect, createServer, type Server, type Socket } from 'node:net';

export interface Disturbance {
  /** Delays each chunk by this many milliseconds. */
  latencyMs: number;
  /** Slices data into chunks of this many bytes; 0 leaves it whole. */
  sliceBytes: number;
  /** Closes the client's half before the server's reply arrives: the work is done, the reply is lost. */
  loseAnswers: boolean;
  /** Resets every connection at once, and each new one, as when no server listens. */
  unreachable: boolean;
}

const CALM: Disturbance = { latencyMs: 0, sliceBytes: 0, loseAnswers: false, unreachable: false };

/** A TCP proxy in front of a real server, to simulate network faults. */
export class ChaosProxy {
  private readonly sockets = new Set<Socket>();
  private readonly resetting = new WeakSet<Socket>();
  private readonly server: Server = createServer((client) => this.join(client));
  private disturbance = CALM;

  private constructor(private readonly target: URL) {}

  /** Listens on a free port of 127.0.0.1 in front of the server at this address. */
  static async before(address: string): Promise<ChaosProxy> {
    const proxy = new ChaosProxy(new URL(address));
    await new Promise<void>((resolve) => proxy.server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  /** The server's address, through the proxy. */
  get uri(): string {
    return throughPort(this.target, (this.server.address() as { port: number }).port);
  }

  disturb(disturbance: Partial<Disturbance>): void {
    this.disturbance = { ...CALM, ...disturbance };
    if (this.disturbance.unreachable) this.cut();
  }

  /** Resets every connection at once. */
  cut(): void {
    for (const socket of this.sockets) this.reset(socket);
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private join(client: Socket): void {
    if (this.disturbance.unreachable) {
      this.reset(client);
      return;
    }
    const upstream = connect({ host: this.target.hostname, port: Number(this.target.port) });
    this.pipe(client, upstream, false);
    this.pipe(upstream, client, true);
  }

  private pipe(from: Socket, to: Socket, isAnswer: boolean): void {
    this.sockets.add(from);
    const held: Buffer[] = [];
    from.on('data', (bytes) => {
      if (isAnswer && this.disturbance.loseAnswers) return this.reset(to);
      const { latencyMs, sliceBytes } = this.disturbance;
      if (latencyMs === 0 && held.length === 0) return this.write(to, bytes, sliceBytes);
      // Each timer passes on the oldest chunk, so that the order is kept when the latency changes.
      held.push(bytes);
      setTimeout(() => this.write(to, held.shift()!, sliceBytes), latencyMs);
    });
    from.on('error', () => this.drop(to));
    from.on('close', () => {
      this.sockets.delete(from);
      this.drop(to);
    });
  }

  // Node would keep a socket open, and a core busy, when it is closed before or during its reset.
  private reset(socket: Socket): void {
    if (!socket.readable || !socket.writable) return void socket.destroy();
    this.resetting.add(socket);
    socket.resetAndDestroy();
  }

  private drop(socket: Socket): void {
    if (!this.resetting.has(socket)) socket.destroy();
  }

  private write(to: Socket, bytes: Buffer, sliceBytes: number): void {
    if (to.destroyed) return;
    const step = sliceBytes || bytes.length;
    to.setNoDelay(true);
    for (let start = 0; start < bytes.length; start += step) to.write(bytes.subarray(start, start + step));
  }
}

/** Replaces host and port of an address by a local port. */
export function throughPort(server: URL, port: number): string {
  const address = new URL(server);
  address.host = `127.0.0.1:${port}`;
  // Otherwise a replica set would send its clients its members' real addresses.
  if (address.protocol === 'mongodb:') address.searchParams.set('directConnection', 'true');
  return address.href;
}
