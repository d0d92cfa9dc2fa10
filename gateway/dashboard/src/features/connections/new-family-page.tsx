import { Link, useLocation } from 'wouter';
import { useScopes } from '../../api/me.ts';
import { Button } from '../../design/button.tsx';
import { Choice, TextField } from '../../design/fields/fields.tsx';
import { useForm } from '../../design/fields/form.ts';
import { Icon } from '../../design/icon.tsx';
import { ErrorNotice, fieldErrorOf } from '../../design/notice.tsx';
import { Page } from '../../design/page.tsx';
import { LOCALES, useLanguage } from '../../texts/language.tsx';
import { useCreateFamily } from './connections.ts';
import { bodyOf, type FamilyValues, type MemberValues, newMember } from './family-body.ts';
import { MemberFields } from './member-fields.tsx';

interface PartProps {
  readonly values: FamilyValues;
  readonly set: (changes: Partial<FamilyValues>) => void;
  readonly error: unknown;
}

function Account({ values, set, error }: PartProps) {
  const { t, tag } = useLanguage();
  const languages = new Intl.DisplayNames([tag], { type: 'language' });
  const options = LOCALES.map((value) => ({ value: value as string, label: languages.of(value) ?? value }));
  return (
    <div className="columns">
      <TextField
        label={t('families.name')}
        value={values.name}
        onChange={(name) => set({ name })}
        error={fieldErrorOf(error, 'name')}
        isRequired
        autoFocus
      />
      <TextField
        label={t('auth.email')}
        type="email"
        value={values.email}
        onChange={(email) => set({ email })}
        error={fieldErrorOf(error, 'email')}
        isRequired
      />
      <Choice
        label={t('families.language')}
        value={values.locale}
        onChange={(locale) => set({ locale })}
        options={[{ value: '', label: t('families.ownLanguage') }, ...options]}
      />
      <TextField
        label={t('families.externalId')}
        description={t('families.externalIdHint')}
        value={values.externalId}
        onChange={(externalId) => set({ externalId })}
        error={fieldErrorOf(error, 'external_id')}
      />
    </div>
  );
}

function Members({ values: { members }, set, error }: PartProps) {
  const { t } = useLanguage();
  const change = (at: number, changes: Partial<MemberValues>) =>
    set({ members: members.map((each, index) => (index === at ? { ...each, ...changes } : each)) });
  return (
    <>
      {members.map((values, at) => (
        <fieldset key={values.key} className="plain-fieldset stack-tight">
          <legend className="label">{t('families.member', { number: at + 1 })}</legend>
          <MemberFields
            values={values}
            set={(changes) => change(at, changes)}
            error={error}
            prefix={`members[${at}].`}
          />
          {members.length > 1 && (
            <div>
              <Button
                small
                aria-label={t('families.removeMember', { number: at + 1 })}
                onPress={() => set({ members: members.filter((each) => each !== values) })}
              >
                {t('action.remove')}
              </Button>
            </div>
          )}
        </fieldset>
      ))}
      <div>
        <Button onPress={() => set({ members: [...members, newMember()] })}>
          <Icon name="plus" /> {t('families.addMember')}
        </Button>
      </div>
    </>
  );
}

function FamilyForm() {
  const { t } = useLanguage();
  const [, navigate] = useLocation();
  const create = useCreateFamily();
  const start = (): FamilyValues => ({ name: '', email: '', locale: '', externalId: '', members: [newMember()] });
  const { values, set, submit } = useForm(start, (sent) =>
    create.mutate(bodyOf(sent), { onSuccess: ({ account_id: id }) => navigate(`/families/${id}`) }),
  );
  const part = { values, set, error: create.error };
  return (
    <form className="card stack" onSubmit={submit}>
      <Account {...part} />
      <Members {...part} />
      <ErrorNotice error={create.error} />
      <div>
        <Button kind="primary" type="submit" isPending={create.isPending}>
          {t('families.make')}
        </Button>
      </div>
    </form>
  );
}

/** Makes a family of the school, with its members. */
export default function NewFamilyPage() {
  const { t } = useLanguage();
  const canWrite = useScopes()('members:write');
  return (
    <Page title={t('families.new')} lead={<Link href="/families">{t('connections.title.school')}</Link>}>
      {canWrite ? <FamilyForm /> : <p className="hint">{t('role.needed')}</p>}
    </Page>
  );
}
