import { Link } from 'wouter';
import { Button } from '../../design/button.tsx';
import { Icon } from '../../design/icon.tsx';
import { useLanguage } from '../../texts/language.tsx';
import { type Step, useIsShown, useSteps } from './setup.ts';
import './setup.css';

function Item({ step: { name, path, isDone } }: { step: Step }) {
  const { t } = useLanguage();
  return (
    <li className="setup-step" data-done={isDone}>
      <span className="setup-mark">
        {isDone && <Icon name="check" />}
        <span className="visually-hidden">{t(isDone ? 'setup.done' : 'setup.open')}</span>
      </span>
      <span>
        <Link href={path}>{t(`setup.${name}`)}</Link>
        <span className="hint">{t(`setup.${name}.means`)}</span>
      </span>
    </li>
  );
}

function Steps({ onHide }: { onHide: () => void }) {
  const { t } = useLanguage();
  const steps = useSteps();
  const done = steps.filter(({ isDone }) => isDone).length;
  if (done === steps.length) return null;
  return (
    <section className="card stack" aria-label={t('setup.title')}>
      <div className="row setup-head">
        <h2>{t('setup.title')}</h2>
        <span className="hint">{t('setup.progress', { done, total: steps.length })}</span>
        <Button small kind="quiet" onPress={onHide}>
          {t('setup.hide')}
        </Button>
      </div>
      <ol className="plain-list setup-steps">
        {steps.map((step) => (
          <Item key={step.name} step={step} />
        ))}
      </ol>
    </section>
  );
}

/** What a new school does before its first month; nothing once all of it is done. */
export default function SetupChecklist() {
  const [isShown, hide] = useIsShown();
  return isShown && <Steps onHide={hide} />;
}
