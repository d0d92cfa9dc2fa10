import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { TLSSocket } from 'node:tls';
import type { NatsConnection } from '@nats-io/transport-node';
import { certificateEnds } from '@swim/platform';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Measures when the CA's certificates of a file end, and that which NATS has shown on this connection. */
export function measureCertificates(connection: NatsConnection, caFile: string): void {
  certificateEnds.set('nats_ca', () => firstEndOf(caFile));
  certificateEnds.set('nats', () => socketOf(connection)?.getPeerX509Certificate?.()?.validToDate.getTime());
}

function firstEndOf(file: string): number | undefined {
  try {
    const all = readFileSync(file, 'utf8').match(CERTIFICATE) ?? [];
    return all.length === 0 ? undefined : Math.min(...all.map((pem) => new X509Certificate(pem).validToDate.getTime()));
  } catch {
    // While the file is being replaced, the other metrics are answered all the same.
    return undefined;
  }
}

// The client's type does not declare its socket, which is another one after each reconnection.
const socketOf = (connection: NatsConnection): TLSSocket | undefined =>
  (connection as unknown as { protocol?: { transport?: { socket?: TLSSocket } } }).protocol?.transport?.socket;
