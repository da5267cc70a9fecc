"use client";

import { GlobalErrorPage } from "@/components/outcome/global-error-page";
import "./desk/desk.css";

export default GlobalErrorPage;
