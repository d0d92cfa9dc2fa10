import { secret, secret32 } from '@swim/platform';
import { z } from 'zod';

const OTHER_PEPPER = /^([1-9]\d{0,5}):(.+)$/;

/** `<version>:<32 bytes in base64>`, comma-separated. */
const otherPeppers = z.string().transform((text, context) => {
  const read = new Map<number, Buffer>();
  for (const part of text.split(',').filter((each) => each.trim() !== '')) {
    const [, version, secret = ''] = OTHER_PEPPER.exec(part.trim()) ?? [];
    const pepper = secret32.safeParse(secret);
    if (version === undefined || !pepper.success || read.has(Number(version)))
      context.addIssue({ code: 'custom', message: 'must be <version>:<32 bytes in base64>, each version once' });
    else read.set(Number(version), pepper.data);
  }
  return read;
});

/** Base64 has no colon. */
const currentPepper = z.string().transform((text, context) => {
  const [, version, bytes = text] = OTHER_PEPPER.exec(text) ?? [];
  const pepper = secret32.safeParse(bytes);
  if (!pepper.success) context.addIssue({ code: 'custom', message: 'must be 32 bytes in base64' });
  return { bytes: pepper.data ?? Buffer.alloc(0), version: version === undefined ? null : Number(version) };
});

/** Settings for the storage of API keys' secrets. */
export const pepperSettings = {
  /** HMAC key of newly stored secrets: 32 bytes in base64, or `<version>:<32 bytes in base64>`, which change together. */
  KEY_PEPPER: secret(currentPepper),
  /** Its version where it names none; each key stores the version of its own pepper. */
  KEY_PEPPER_VERSION: z.coerce.number().int().min(1).max(999_999).default(1),
  /** Peppers of other versions that still verify keys: `<version>:<32 bytes in base64>`, comma-separated. */
  KEY_PEPPERS: secret(otherPeppers.default(new Map())),
};

interface PepperSettings {
  KEY_PEPPER: { bytes: Buffer; version: number | null };
  KEY_PEPPER_VERSION: number;
  KEY_PEPPERS: ReadonlyMap<number, Buffer>;
}

/** The version under which secrets are stored. */
export const versionOf = ({ KEY_PEPPER, KEY_PEPPER_VERSION }: Omit<PepperSettings, 'KEY_PEPPERS'>): number =>
  KEY_PEPPER.version ?? KEY_PEPPER_VERSION;

/** Whether each version has one pepper; otherwise keys would be stored under one and verified under another. */
export function arePeppersClear(settings: PepperSettings): boolean {
  return settings.KEY_PEPPERS.get(versionOf(settings))?.equals(settings.KEY_PEPPER.bytes) ?? true;
}
