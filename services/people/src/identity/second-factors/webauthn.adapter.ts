import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { PasskeyAssertion, PasskeyRegistration } from '@swim/contracts';
import type { RelyingParty } from './relying-party.rules.js';

// With the first use of a passkey: its parsers of certificates keep 11 MB of a process.
const webAuthn = () => import('@simplewebauthn/server');

const RELYING_PARTY_NAME = 'Swim Lessons';
/** For so long a browser may ask its user, and a challenge is valid. */
export const CHALLENGE_VALID_MS = 300_000;

/** The public half of a passkey, as the authenticator gave it. */
export interface Credential {
  /** Base64url. */
  credentialId: string;
  /** COSE key, base64url. */
  publicKey: string;
  /** Signatures so far; 0 at authenticators that do not count. */
  counter: number;
  /** How the browser reaches the authenticator. */
  transports: string[];
}

const descriptorOf = ({ credentialId: id, transports }: Credential) => ({ id, transports });

/** Options for a new passkey of a user who has these; their authenticators are not offered again. */
export const creationOptions = async (
  relyingParty: RelyingParty,
  { userId, email, known }: { userId: string; email: string; known: readonly Credential[] },
) =>
  (await webAuthn()).generateRegistrationOptions({
    rpName: RELYING_PARTY_NAME,
    rpID: relyingParty.id,
    userName: email,
    // No personal data: authenticators keep and show it (section 14.6.1).
    userID: new Uint8Array(Buffer.from(userId)),
    attestationType: 'none',
    excludeCredentials: known.map(descriptorOf),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    timeout: CHALLENGE_VALID_MS,
  });

/** Options for a signature by one of these passkeys. */
export const signatureOptions = async (relyingParty: RelyingParty, known: readonly Credential[]) =>
  (await webAuthn()).generateAuthenticationOptions({
    rpID: relyingParty.id,
    allowCredentials: known.map(descriptorOf),
    userVerification: 'preferred',
    timeout: CHALLENGE_VALID_MS,
  });

/** What is expected of a response: the challenge, and pages of the relying party. The password was the first factor. */
const expectedOf = ({ id, origin }: RelyingParty, challenge: string) => ({
  expectedChallenge: challenge,
  expectedOrigin: origin,
  expectedRPID: id,
  requireUserVerification: false,
});

/** The new passkey of a response; null where the response is not right. */
export async function readRegistration(
  relyingParty: RelyingParty,
  challenge: string,
  registration: PasskeyRegistration,
): Promise<Credential | null> {
  const { verifyRegistrationResponse } = await webAuthn();
  const response = registration as unknown as RegistrationResponseJSON;
  // The library throws for whatever is wrong with a response.
  const read = await verifyRegistrationResponse({ response, ...expectedOf(relyingParty, challenge) }).catch(() => null);
  if (!read?.verified) return null;
  const { id, publicKey, counter, transports } = read.registrationInfo.credential;
  return {
    credentialId: id,
    publicKey: Buffer.from(publicKey).toString('base64url'),
    counter,
    transports: [...(transports ?? [])],
  };
}

/**
 * The counter of the passkey that signed; null where the response is not right, or the counter has not grown: another
 * authenticator may have a copy of the passkey (section 6.1.1).
 */
export async function readSignature(
  relyingParty: RelyingParty,
  challenge: string,
  assertion: PasskeyAssertion,
  { credentialId: id, publicKey, counter, transports }: Credential,
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await webAuthn();
  const read = await verifyAuthenticationResponse({
    response: assertion as unknown as AuthenticationResponseJSON,
    ...expectedOf(relyingParty, challenge),
    credential: {
      id,
      publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')),
      counter,
      transports,
    },
  }).catch(() => null);
  return read?.verified ? read.authenticationInfo.newCounter : null;
}
