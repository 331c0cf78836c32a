import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/app.tsx";
import "./styles/index.css";

const place = document.getElementById("page");
if (place === null) throw new Error("The page has no element for its content.");
createRoot(place).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
