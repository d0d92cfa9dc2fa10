import { useMe } from '../../api/me.ts';
import { Button } from '../../design/button.tsx';
import { Dialog, DialogActions } from '../../design/dialog.tsx';
import { Choice, TextField } from '../../design/fields/fields.tsx';
import { useForm } from '../../design/fields/form.ts';
import { ErrorNotice, fieldErrorOf } from '../../design/notice.tsx';
import { useLanguage } from '../../texts/language.tsx';
import { KeySecret } from './key-secret.tsx';
import { useKeyChanges } from './keys.ts';
import { ScopeChoice } from './scope-choice.tsx';
import { addressesOf, DEFAULT_SCOPES, grantable } from './scopes.ts';

const EXPIRIES = ['never', '7', '30', '90', '365'] as const;
type Expiry = (typeof EXPIRIES)[number];
const DAY_MS = 86_400_000;

const endOf = (expiry: Expiry): string | null =>
  expiry === 'never' ? null : new Date(Date.now() + Number(expiry) * DAY_MS).toISOString();

interface Values {
  readonly name: string;
  readonly expiry: Expiry;
  readonly addresses: string;
  readonly scopes: readonly string[];
}

interface FormProps {
  readonly values: Values;
  readonly onChange: (changes: Partial<Values>) => void;
  readonly error: unknown;
}

function Fields({ values, onChange, error }: FormProps) {
  const { t } = useLanguage();
  const expiries = EXPIRIES.map((value) => ({
    value,
    label: value === 'never' ? t('keys.noEnd') : t('keys.inDays', { count: value }),
  }));
  return (
    <>
      <TextField
        label={t('keys.name')}
        description={t('keys.nameHint')}
        value={values.name}
        onChange={(name) => onChange({ name })}
        error={fieldErrorOf(error, 'name')}
        isRequired
        autoFocus
      />
      <ScopeChoice scopes={values.scopes} onChange={(scopes) => onChange({ scopes })} />
      <div className="columns">
        <Choice
          label={t('keys.expires')}
          value={values.expiry}
          onChange={(expiry) => onChange({ expiry })}
          options={expiries}
          error={fieldErrorOf(error, 'expires_at')}
        />
        <TextField
          label={t('keys.addresses')}
          description={t('keys.addressesHint')}
          mono
          value={values.addresses}
          onChange={(addresses) => onChange({ addresses })}
          error={fieldErrorOf(error, 'ip_allowlist')}
        />
      </div>
    </>
  );
}

/** Makes a key, and then shows its text: this once. */
export function NewKeyDialog({ onClose }: { onClose: () => void }) {
  const { t } = useLanguage();
  const { scopes: own } = useMe();
  const { create } = useKeyChanges();
  const start = (): Values => ({ name: '', expiry: 'never', addresses: '', scopes: grantable(DEFAULT_SCOPES, own) });
  const { values, set, submit } = useForm(start, ({ name, scopes, addresses, expiry }) =>
    create.mutate({ name, scopes, addresses: addressesOf(addresses), expiresAt: endOf(expiry) }),
  );
  if (create.data) return <KeySecret apiKey={create.data} onClose={onClose} />;
  return (
    <Dialog title={t('keys.newTitle')} isOpen onClose={onClose} wide>
      <form className="stack" onSubmit={submit}>
        <Fields values={values} onChange={set} error={create.error} />
        <ErrorNotice error={create.error} />
        <DialogActions onCancel={onClose}>
          <Button kind="primary" type="submit" isPending={create.isPending}>
            {t('keys.create')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
