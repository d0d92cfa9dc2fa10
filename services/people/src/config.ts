import { readConfig, secret32, serviceConfig } from '@swim/platform';
import { z } from 'zod';

const OTHER_PEPPER = /^([1-9]\d{0,5}):(.+)$/;

/** `<version>:<32 bytes in base64>`, comma-separated. */
const peppers = z.string().transform((text, context) => {
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

/** What the people service reads from its environment. */
export const config = readConfig(
  z.object({
    ...serviceConfig,
    /** HMAC key under which the secrets of API keys are stored: 32 bytes in base64. */
    KEY_PEPPER: secret32,
    /** Which version of it that is; each key remembers the version it was stored under. */
    KEY_PEPPER_VERSION: z.coerce.number().int().min(1).max(999_999).default(1),
    /** Peppers of other versions, under which keys are known as well: `<version>:<32 bytes in base64>`, comma-separated. */
    KEY_PEPPERS: peppers.default(new Map()),
  }),
);
