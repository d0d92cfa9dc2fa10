import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type { PasskeyAssertion, PasskeyRegistration } from '@swim/contracts';

/** What a page passes to the browser, and where the page is. */
interface Ceremony {
  challenge: string;
  origin?: string;
  rpId?: string;
}

const ORIGIN = 'http://localhost:8080';
const RP_ID = 'localhost';
// User present and verified; the second one has the credential too (Web Authentication Level 3, section 6.1).
const USED = 0x05;
const WITH_CREDENTIAL = 0x45;

const base64url = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64url');
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest();

const clientDataOf = (type: string, { challenge, origin = ORIGIN }: Ceremony) =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** An authenticator with one passkey on the curve P-256, and the part of a browser that speaks to it. */
export class SoftwareAuthenticator {
  private readonly id = randomBytes(32);
  private readonly privateKey: KeyObject;
  private readonly coseKey: Buffer;
  /** Signatures so far. */
  counter = 0;

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x, y } = publicKey.export({ format: 'jwk' });
    this.privateKey = privateKey;
    // CBOR: {1: 2, 3: -7, -1: 1, -2: x, -3: y} (RFC 9053 section 7.1.1).
    this.coseKey = Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      Buffer.from(x!, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(y!, 'base64url'),
    ]);
  }

  /** What `navigator.credentials.create` returns, as JSON. */
  create(ceremony: Ceremony): PasskeyRegistration {
    const credential = Buffer.concat([Buffer.alloc(16), uint16(this.id.length), this.id, this.coseKey]);
    const data = Buffer.concat([this.authenticatorData(ceremony, WITH_CREDENTIAL), credential]);
    // CBOR: {fmt: 'none', attStmt: {}, authData}.
    const attestationObject = Buffer.concat([
      Buffer.from('a3', 'hex'),
      cborText('fmt'),
      cborText('none'),
      cborText('attStmt'),
      Buffer.from('a0', 'hex'),
      cborText('authData'),
      Buffer.from([0x59]),
      uint16(data.length),
      data,
    ]);
    return {
      ...this.named(),
      response: {
        clientDataJSON: base64url(clientDataOf('webauthn.create', ceremony)),
        attestationObject: base64url(attestationObject),
        transports: ['internal'],
      },
    };
  }

  /** What `navigator.credentials.get` returns, as JSON. */
  get(ceremony: Ceremony): PasskeyAssertion {
    this.counter++;
    const data = this.authenticatorData(ceremony, USED);
    const clientData = clientDataOf('webauthn.get', ceremony);
    const signature = sign('sha256', Buffer.concat([data, sha256(clientData)]), this.privateKey);
    return {
      ...this.named(),
      response: {
        clientDataJSON: base64url(clientData),
        authenticatorData: base64url(data),
        signature: base64url(signature),
      },
    };
  }

  private named() {
    const id = base64url(this.id);
    return { id, rawId: id, type: 'public-key' as const, clientExtensionResults: {} };
  }

  private authenticatorData({ rpId = RP_ID }: Ceremony, flags: number): Buffer {
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), uint32(this.counter)]);
  }
}

/** A short text in CBOR (RFC 8949). */
const cborText = (text: string): Buffer => Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)]);
