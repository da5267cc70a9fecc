import { useApplication } from "@/components/session/session-context";
import { type Failure, submitStep } from "@/lib/client/api";
import type { AnswerStep } from "@/lib/domain/journey";
import type { FormValues } from "./form-values";
import { usePatientCall } from "./use-patient-call";
import { answersOf } from "./validation";

/** Saves one step whole, and tells the session what the server acknowledged. Null when it did. */
export function useStepSaving() {
  const { application, update } = useApplication();
  const { make, waiting } = usePatientCall();

  async function save(step: AnswerStep, values: FormValues): Promise<Failure | null> {
    const answers = answersOf(step, values);
    const answer = await make(() => submitStep(step, answers));
    if (!answer.success) return answer;
    const savedSteps = [...new Set([...application.savedSteps, step])].sort();
    update({ ...answers, savedSteps });
    return null;
  }
  return { save, waiting };
}
