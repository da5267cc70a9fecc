"use client";

import { Form, Formik, useField } from "formik";
import { z } from "zod";
import { toFormikValidate } from "zod-formik-adapter";

const required = z.string().min(1, "Required");
const names = ["leaseStartDate", "leaseEndDate", "currentRent", "invoiceAmount", "loanAmount"];
const schema = z.object(Object.fromEntries(names.map((name) => [name, required])));
const initialValues = Object.fromEntries(names.map((name) => [name, ""]));

function Field({ name }) {
  const [field, { touched, error }] = useField(name);
  return (
    <p>
      <label htmlFor={name}>{name}</label>
      <input id={name} type={name.endsWith("Date") ? "date" : "text"} {...field} />
      {touched && error ? <span role="alert">{error}</span> : null}
    </p>
  );
}

/** Step 3, written as in Formik's documentation. */
export default function Page() {
  return (
    <main>
      <Formik initialValues={initialValues} validate={toFormikValidate(schema)} onSubmit={() => {}}>
        <Form>
          {names.map((name) => (
            <Field key={name} name={name} />
          ))}
        </Form>
      </Formik>
    </main>
  );
}
