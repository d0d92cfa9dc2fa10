/** The relying party of passkeys: the host that they are made for (Web Authentication Level 3, section 5.4.2). */
export interface RelyingParty {
  /** Host name: a passkey is valid for it alone. */
  id: string;
  /** The origin of the pages that may use it. */
  origin: string;
}

const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|\[::1\])$/;

/** The relying party of a public address. No browser makes passkeys for an IP address: loopback is `localhost` instead. */
export function relyingPartyOf(publicUrl: string): RelyingParty {
  const url = new URL(publicUrl);
  if (LOOPBACK.test(url.hostname)) url.hostname = 'localhost';
  return { id: url.hostname, origin: url.origin };
}
