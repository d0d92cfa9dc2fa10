import { Button } from '../../design/button.tsx';
import { Dialog, DialogActions } from '../../design/dialog.tsx';
import { Checkbox, TextField } from '../../design/fields/fields.tsx';
import { useForm } from '../../design/fields/form.ts';
import { ErrorNotice, fieldErrorOf } from '../../design/notice.tsx';
import { useLanguage } from '../../texts/language.tsx';
import { EVENT_TYPES } from './event-types.ts';
import { SecretDialog } from './secret-dialog.tsx';
import { type NewEndpoint, useNewEndpoint } from './webhooks.ts';

interface ChoiceProps {
  readonly events: readonly string[];
  readonly onChange: (events: string[]) => void;
}

function EventChoice({ events, onChange }: ChoiceProps) {
  const { t } = useLanguage();
  const isAll = events.includes('*');
  return (
    <fieldset className="plain-fieldset stack-tight">
      <legend className="label">{t('webhooks.events')}</legend>
      <Checkbox isSelected={isAll} onChange={(isOn) => onChange(isOn ? ['*'] : [])}>
        {t('webhooks.allEvents')}
      </Checkbox>
      {!isAll && (
        <div className="event-types">
          {EVENT_TYPES.map((type) => (
            <Checkbox
              key={type}
              isSelected={events.includes(type)}
              onChange={(isOn) => onChange([...events.filter((each) => each !== type), ...(isOn ? [type] : [])])}
            >
              <code>{type}</code>
            </Checkbox>
          ))}
        </div>
      )}
    </fieldset>
  );
}

/** Makes an endpoint, and then shows the secret that signs its deliveries: this once. */
export function NewEndpointDialog({ onClose }: { onClose: () => void }) {
  const { t } = useLanguage();
  const create = useNewEndpoint();
  const { values, set, submit } = useForm<NewEndpoint>({ url: '', description: '', events: ['*'] }, (sent) =>
    create.mutate(sent),
  );
  if (create.data) return <SecretDialog secret={create.data.secret ?? ''} onClose={onClose} />;
  return (
    <Dialog title={t('webhooks.new')} isOpen onClose={onClose} wide>
      <form className="stack" onSubmit={submit}>
        <TextField
          label={t('webhooks.url')}
          description={t('webhooks.urlHint')}
          placeholder="https://example.com/webhooks"
          type="url"
          mono
          value={values.url}
          onChange={(url) => set({ url })}
          error={fieldErrorOf(create.error, 'url')}
          isRequired
          autoFocus
        />
        <TextField
          label={t('webhooks.description')}
          value={values.description}
          onChange={(description) => set({ description })}
          error={fieldErrorOf(create.error, 'description')}
        />
        <EventChoice events={values.events} onChange={(events) => set({ events })} />
        <ErrorNotice error={create.error} />
        <DialogActions onCancel={onClose}>
          <Button kind="primary" type="submit" isPending={create.isPending}>
            {t('webhooks.create')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
