import { Caller, Group, type Page, type Write } from "./calling.js";
import type * as T from "./types.js";
export declare class Account extends Group {
    /** Update the owning account. */
    accountPartialUpdate(body: T.ProfileInput, write?: Write): Promise<T.Account>;
    /** Read the owning account. */
    accountRetrieve(): Promise<T.Account>;
}
export declare class Agents extends Group {
    /** Remove an agent. */
    agentDestroy(agentId: number): Promise<void>;
    /** List an agent's events. */
    agentEventList(agentId: number, query?: {
        "cursor"?: string;
        "limit"?: number;
        "type"?: "login" | "logout" | "online" | "offline" | "chat_accepted" | "chat_assigned" | "chat_transferred" | "status_changed" | "suspended" | "restored" | "removed" | "invited" | "profile_updated" | "unknown";
    }): Promise<Page<T.AgentEvent>>;
    /** List agents. */
    agentList(query?: {
        "cursor"?: string;
        "limit"?: number;
        "online"?: "1" | "0";
        "type"?: "human" | "ai" | "webhook";
        "department_id"?: number;
        "status"?: "active" | "relaxation" | "banned";
    }): Promise<Page<T.Agent>>;
    /** Update an agent. */
    agentPartialUpdate(agentId: number, body: T.AgentInput, write?: Write): Promise<T.Agent>;
    /** Remove an agent's avatar. */
    agentRemoveAvatar(agentId: number): Promise<void>;
    /** Restore an agent. */
    agentRestore(agentId: number, write?: Write): Promise<T.Agent>;
    /** Read an agent. */
    agentRetrieve(agentId: number): Promise<T.Agent>;
    /** Set an agent's avatar. */
    agentSetAvatar(agentId: number, write?: Write): Promise<T.Agent>;
    /** List agents' statistics. */
    agentStatisticsList(query?: {
        "cursor"?: string;
        "limit"?: number;
        "period"?: "today" | "yesterday" | "week" | "month";
        "from"?: string;
        "to"?: string;
        "metric"?: string;
    }): Promise<Page<T.AgentStats>>;
    /** Read an agent's statistics. */
    agentStatisticsRetrieve(agentId: number, query?: {
        "period"?: "today" | "yesterday" | "week" | "month";
        "from"?: string;
        "to"?: string;
        "metric"?: string;
    }): Promise<T.AgentStats>;
    /** Suspend an agent. */
    agentSuspend(agentId: number, write?: Write): Promise<T.Agent>;
    /** Invite a human agent. */
    invitationCreate(body: T.InvitationInput, write?: Write): Promise<T.Invitation>;
    /** Revoke an invitation. */
    invitationDestroy(invitationId: number): Promise<void>;
    /** List invitations. */
    invitationList(query?: {
        "cursor"?: string;
        "limit"?: number;
    }): Promise<Page<T.Invitation>>;
    /** Change an operator's places. */
    placesPartialUpdate(agentId: number, body: T.PlacesInput, write?: Write): Promise<T.Places>;
    /** Read an operator's places. */
    placesRetrieve(agentId: number): Promise<T.Places>;
}
export declare class Ai extends Group {
    /** Make an AI operator. */
    aiOperatorCreate(body: T.OperatorInput, write?: Write): Promise<T.AiOperator>;
    /** Retire an AI operator. */
    aiOperatorDestroy(operatorId: number): Promise<void>;
    /** List AI operators. */
    aiOperatorList(query?: {
        "cursor"?: string;
        "limit"?: number;
    }): Promise<Page<T.AiOperator>>;
    /** Change an AI operator. */
    aiOperatorPartialUpdate(operatorId: number, body: T.OperatorChangesInput, write?: Write): Promise<T.AiOperator>;
    /** Answer a turn. */
    aiReplyCreate(body: T.AiReplyInput): Promise<T.AiReply>;
    /** Make an assistant of the legacy settings. */
    aiSettingsMigrate(write?: Write): Promise<T.Migrated>;
    /** Change the AI settings. */
    aiSettingsPartialUpdate(body: T.AiSettingsChangesInput, write?: Write): Promise<T.AiSettings>;
    /** Read the AI settings. */
    aiSettingsRetrieve(query?: {
        "assistant_id"?: number;
    }): Promise<T.AiSettings>;
    /** Acknowledge alerts. */
    alertAcknowledge(body?: T.AcknowledgementInput, write?: Write): Promise<T.Acknowledged>;
    /** List alerts. */
    alertList(query?: {
        "cursor"?: string;
        "limit"?: number;
        "state"?: "unacknowledged" | "acknowledged" | "all";
    }): Promise<Page<T.Alert>>;
    /** Make an assistant. */
    assistantCreate(body: T.AssistantInput, write?: Write): Promise<T.Assistant>;
    /** Delete an assistant. */
    assistantDestroy(assistantId: number): Promise<void>;
    /** List assistants. */
    assistantList(query?: {
        "cursor"?: string;
        "limit"?: number;
    }): Promise<Page<T.Assistant>>;
    /** Change an assistant. */
    assistantPartialUpdate(assistantId: number, body: T.AssistantChangesInput, write?: Write): Promise<T.Assistant>;
    /** Read an assistant. */
    assistantRetrieve(assistantId: number): Promise<T.Assistant>;
    /** Test an assistant. */
    assistantTestCreate(assistantId: number, body: T.TestInput, write?: Write): Promise<T.TestResult>;
    /** Inspect what a test of an assistant would use. */
    assistantTestRetrieve(assistantId: number, query?: {
        "operator_id"?: string;
    }): Promise<T.Inspection>;
    /** Store a credential. */
    credentialCreate(body: T.CredentialInput, write?: Write): Promise<T.Credential>;
    /** List credentials. */
    credentialList(query?: {
        "cursor"?: string;
        "limit"?: number;
    }): Promise<Page<T.Credential>>;
    /** List a credential's models. */
    credentialModels(credentialId: number): Promise<Page<T.Model>>;
    /** Change a credential. */
    credentialPartialUpdate(credentialId: number, body: T.CredentialChangesInput, write?: Write): Promise<T.Credential>;
    /** Read what visitors asked for in vain. */
    demandSignalRetrieve(query?: {
        "from"?: string;
        "to"?: string;
        "category"?: "knowledge_gap" | "escalation" | "dissatisfaction" | "missed_contact";
        "limit"?: number;
    }): Promise<T.Demand>;
    /** Put an examined draft live. */
    evaluationApply(runId: number, body?: T.ApplyingInput, write?: Write): Promise<T.EvaluationRun>;
    /** Add a test question. */
    evaluationCaseCreate(body?: T.EvaluationCaseInput, write?: Write): Promise<T.EvaluationCase>;
    /** Delete a test question. */
    evaluationCaseDestroy(caseId: number): Promise<void>;
    /** List test questions. */
    evaluationCaseList(query?: {
        "cursor"?: string;
        "limit"?: number;
        "assistant_id"?: number;
    }): Promise<Page<T.EvaluationCase>>;
    /** Change a test question. */
    evaluationCasePartialUpdate(caseId: number, body: T.EvaluationCaseChangesInput, write?: Write): Promise<T.EvaluationCase>;
    /** Read a test question. */
    evaluationCaseRetrieve(caseId: number): Promise<T.EvaluationCase>;
    /** Start an evaluation. */
    evaluationCreate(body: T.EvaluationInput, write?: Write): Promise<T.EvaluationRun>;
    /** List evaluations. */
    evaluationList(query?: {
        "cursor"?: string;
        "limit"?: number;
        "assistant_id"?: number;
    }): Promise<Page<T.EvaluationRun>>;
    /** Read an evaluation. */
    evaluationRetrieve(runId: number): Promise<T.EvaluationWithResults>;
    /** Read the history of assistants' texts. */
    historyList(query?: {
        "cursor"?: string;
        "limit"?: number;
        "assistant_id"?: number;
        "action"?: "created" | "edited" | "wish_approved" | "wish_reverted" | "tuned" | "refused" | "reverted" | "kept" | "rolled_back";
    }): Promise<Page<T.History>>;
    /** List cycles that made a version. */
    learningCycles(query?: {
        "cursor"?: string;
        "limit"?: number;
        "assistant_id"?: number;
    }): Promise<Page<T.Cycle>>;
    /** Read the kill switch. */
    learningKillSwitch(query?: {
        "assistant_id"?: number;
    }): Promise<T.KillSwitch>;
    /** Read the panel of self-learning. */
    learningPanel(query?: {
        "assistant_id"?: number;
    }): Promise<T.LearningSettings>;
    /** Queue a tuning cycle. */
    learningTune(query?: {
        "assistant_id"?: number;
    }, write?: Write): Promise<T.Cycle>;
    /** List the versions of an assistant's text. */
    personaVersionList(query?: {
        "cursor"?: string;
        "limit"?: number;
        "assistant_id"?: number;
    }): Promise<Page<T.VersionRow>>;
    /** Read a version of an assistant's text. */
    personaVersionRetrieve(version: number, query?: {
        "assistant_id"?: number;
    }): Promise<T.Version>;
    /** Make an earlier version live again. */
    personaVersionRevert(version: number, query?: {
        "assistant_id"?: number;
    }, body?: T.RevertInput, write?: Write): Promise<T.Version>;
    /** Change some of the AI's phrases. */
    phrasePartialUpdate(body: T.PhrasesInput, write?: Write): Promise<T.Phrases>;
    /** Read the AI's phrases. */
    phraseRetrieve(): Promise<T.Phrases>;
    /** Replace the AI's phrases. */
    phraseUpdate(body: T.PhrasesInput, write?: Write): Promise<T.Phrases>;
    /** Make an assistant of a template. */
    templateApply(slug: string, query?: {
        "locale"?: "ru" | "en" | "el" | "de" | "es" | "ar" | "zh";
    }, write?: Write): Promise<T.Assistant>;
    /** List templates of assistants. */
    templateList(query?: {
        "page"?: number;
        "limit"?: number;
        "category"?: "retail" | "logistics" | "software" | "health" | "beauty" | "real_estate" | "hospitality" | "education" | "services";
        "locale"?: "ru" | "en" | "el" | "de" | "es" | "ar" | "zh";
    }): Promise<Page<T.TemplateRow>>;
    /** Read a template of an assistant. */
    templateRetrieve(slug: string, query?: {
        "locale"?: "ru" | "en" | "el" | "de" | "es" | "ar" | "zh";
    }): Promise<T.Template>;
}
export declare class ArticleCategories extends Group {
    /** Add a category of articles. */
    articleCategoryCreate(body: T.ArticleCategoryInput, write?: Write): Promise<T.ArticleCategory>;
    /** Delete a category of articles. */
    articleCategoryDestroy(categoryId: number): Promise<void>;
    /** List categories of articles. */
    articleCategoryList(): Promise<Page<T.ArticleCategory>>;
    /** Change a category of articles. */
    articleCategoryPartialUpdate(categoryId: number, body: T.ArticleCategoryChangesInput, write?: Write): Promise<T.ArticleCategory>;
}
export declare class ArticleGaps extends Group {
    /** Draft an article about it. */
    articleGapDraft(gap: string, body?: T.GapDraftInput, write?: Write): Promise<T.Article>;
    /** List what was asked in vain. */
    articleGapList(query?: {
        "from"?: string;
        "to"?: string;
        "lang"?: "ru" | "en" | "el" | "de" | "es" | "ar" | "zh";
        "source"?: "chat" | "search";
        "limit"?: number;
    }): Promise<Page<T.Gap>>;
}
export declare class ArticleImports extends Group {
    /** Import articles. */
    articleImportCreate(body: T.ArticleImportInput, write?: Write): Promise<T.ArticleImport>;
    /** Read an import of articles. */
    articleImportRetrieve(importId: number): Promise<T.ArticleImport>;
}
export declare class ArticlePictures extends Group {
    /** Upload a picture of articles. */
    articlePictureCreate(write?: Write): Promise<T.ArticlePicture>;
}
export declare class ArticleResults extends Group {
    /** Read which articles answer. */
    articleResultsRetrieve(query?: {
        "from"?: string;
        "to"?: string;
        "lang"?: "ar" | "de" | "el" | "en" | "es" | "ru" | "zh";
        "limit"?: number;
    }): Promise<T.ArticleResults>;
}
export declare class Articles extends Group {
    /** Add an article. */
    articleCreate(body: T.ArticleInput, write?: Write): Promise<T.Article>;
    /** Delete an article. */
    articleDestroy(articleId: number): Promise<void>;
    /** List articles. */
    articleList(query?: {
        "cursor"?: string;
        "limit"?: number;
        "state"?: "draft" | "published";
        "lang"?: "ru" | "en" | "el" | "de" | "es" | "ar" | "zh";
        "category_id"?: number;
        "q"?: string;
    }): Promise<Page<T.ListedArticle>>;
    /** Move an article. */
    articlePartialUpdate(articleId: number, body: T.ArticleChangesInput, write?: Write): Promise<T.Article>;
    /** Read an article. */
    articleRetrieve(articleId: number): Promise<T.Article>;
    /** Search in published articles. */
    articleSearchList(query: {
        "q": string;
        "lang"?: "ar" | "de" | "el" | "en" | "es" | "ru" | "zh";
        "limit"?: number;
    }): Promise<Page<T.ArticleHit>>;
    /** Tell who asked in vain. */
    articleTellingTell(articleId: number, body: T.TellInput, write?: Write): Promise<T.Telling>;
    /** Delete an article's text. */
    articleTextDestroy(articleId: number, lang: string): Promise<void>;
    /** Publish an article's text. */
    articleTextPublish(articleId: number, lang: string, body?: T.PublishingInput, write?: Write): Promise<T.Article>;
    /** Write an article's text. */
    articleTextPut(articleId: number, lang: string, body: T.ArticleTextInput, write?: Write): Promise<T.Article>;
    /** Withdraw an article's text. */
    articleTextUnpublish(articleId: number, lang: string, write?: Write): Promise<T.Article>;
    /** Read a version of a text. */
    articleVersionRetrieve(articleId: number, lang: string, version: number): Promise<T.WholeVersion>;
    /** List a text's versions. */
    articleVersionsList(articleId: number, lang: string, query?: {
        "cursor"?: string;
        "limit"?: number;
    }): Promise<Page<T.ArticleVersion>>;
}
export declare class AutomationRuns extends Group {
    /** List runs of automations and macros. */
    runList(query?: {
        "cursor"?: string;
        "limit"?: number;
        "chat_id"?: number;
    }): Promise<Page<T.Run>>;
    /** Undo a run. */
    runUndo(runId: number): Promise<T.Undone>;
}
export declare class Automations extends Group {
    /** Add an automation. */
    automationCreate(body: T.AutomationInput, write?: Write): Promise<T.Automation>;
    /** Delete an automation. */
    automationDestroy(automationId: number): Promise<void>;
    /** List automations. */
    automationList(): Promise<Page<T.Automation>>;
    /** Order the automations. */
    automationOrder(body: T.OrderInput, write?: Write): Promise<Page<T.Automation>>;
    /** Change an automation. */
    automationPartialUpdate(automationId: number, body: T.AutomationChangesInput, write?: Write): Promise<T.Automation>;
    /** Read an automation. */
    automationRetrieve(automationId: number): Promise<T.Automation>;
    /** List an automation's runs. */
    automationRunsList(automationId: number, query?: {
        "cursor"?: string;
        "limit"?: number;
    }): Promise<Page<T.Run>>;
    /** Try a stored automation. */
    storedTrialTryOut(automationId: number, body?: T.TrialDaysInput): Promise<T.Trial>;
    /** Try an automation. */
    trialTryOut(body: T.TrialInput): Promise<T.Trial>;
    /** Undo an automation's runs. */
    undoingUndo(automationId: number, body: T.SinceInput, write?: Write): Promise<T.Undoing>;
}
export declare class Billing extends Group {
    /** Read the balance. */
    balanceRetrieve(): Promise<T.Balance>;
    /** List invoices. */
    invoiceList(query?: {
        "cursor"?: string;
        "limit"?: number;
        "status"?: "issued" | "paid" | "cancelled" | "unknown";
    }): Promise<Page<T.Invoice>>;
    /** Read an invoice. */
    invoiceRetrieve(invoiceId: number): Promise<T.InvoiceWithItems>;
    /** Create a legal entity. */
    legalEntityCreate(body: T.LegalEntityInput, write?: Write): Promise<T.LegalEntity>;
    /** Delete a legal entity. */
    legalEntityDestroy(entityId: number): Promise<void>;
    /** List legal entities. */
    legalEntityList(query?: {
        "cursor"?: string;
        "limit"?: number;
    }): Promise<Page<T.LegalEntity>>;
    /** Update a legal entity. */
    legalEntityPartialUpdate(entityId: number, body: T.LegalEntityChangesInput, write?: Write): Promise<T.LegalEntity>;
    /** Read a legal entity. */
    legalEntityRetrieve(entityId: number): Promise<T.LegalEntity>;
    /** List plan subscriptions. */
    planSubscriptionList(query?: {
        "cursor"?: string;
        "limit"?: number;
        "status"?: "active" | "expired" | "cancelled" | "unknown";
        "kind"?: "product" | "package" | "unknown";
    }): Promise<Page<T.PlanSubscription>>;
    /** Read a plan subscription. */
    planSubscriptionRetrieve(subscriptionId: number): Promise<T.PlanSubscription>;
    /** List transactions. */
    transactionList(query?: {
        "cursor"?: string;
        "limit"?: number;
        "type"?: "top_up" | "invoice_payment" | "plan_purchase" | "withdrawal" | "partner_reward" | "partner_payout" | "unknown";
        "state"?: "pending" | "completed" | "cancelled" | "unknown";
        "direction"?: "credit" | "debit" | "unknown";
    }): Promise<Page<T.Transaction>>;
    /** Read a transaction. */
    transactionRetrieve(transactionId: number): Promise<T.Transaction>;
}
export declare class Channels extends Group {
    /** Register a custom channel. */
    customChannelCreate(body: T.CustomChannelInput, write?: Write): Promise<T.RegisteredChannel>;
    /** Deliver an inbound message. */
    customChannelReceive(channelId: number, body: T.InboundDeliveryInput, write?: Write): Promise<T.PostedMessage>;
    /** Read a custom channel. */
    customChannelRetrieve(channelId: number): Promise<T.CustomChannel>;
    /** Ask whether an operator is online. */
    customChannelStatus(channelId: number): Promise<T.ChannelStatus>;
}
export declare class ChatInvitations extends Group {
    /** Add an invitation to chat. */
    chatInvitationCreate(body: T.ChatInvitationInput, write?: Write): Promise<T.ChatInvitation>;
    /** Delete an invitation to chat. */
    chatInvitationDestroy(invitationId: number): Promise<void>;
    /** List invitations to chat. */
    chatInvitationList(query?: {
        "cursor"?: string;
        "limit"?: number;
        "state"?: "draft" | "live" | "paused";
    }): Promise<Page<T.ChatInvitation>>;
    /** Change an invitation to chat. */
    chatInvitationPartialUpdate(invitationId: number, body: T.ChatInvitationChangesInput, write?: Write): Promise<T.ChatInvitation>;
    /** Read an invitation's results. */
    chatInvitationResults(invitationId: number, query?: {
        "round"?: number;
    }): Promise<T.InvitationResults>;
    /** Read an invitation to chat. */
    chatInvitationRetrieve(invitationId: number): Promise<T.ChatInvitation>;
}
export declare class Chats extends Group {
    /** Close a chat. */
    chatClose(chatId: number, body?: T.CloseInput, write?: Write): Promise<T.Chat>;
    /** List chats. */
    chatList(query?: {
        "cursor"?: string;
        "limit"?: number;
        "from"?: string;
        "to"?: string;
        "status"?: "active" | "ready" | "expired" | "spam";
        "channel"?: string;
        "has_client_messages"?: "1" | "0";
        "q"?: string;
    }): Promise<Page<T.Chat>>;
    /** Ask for a rating. */
    chatRateRequest(chatId: number, write?: Write): Promise<T.ChatReference>;
    /** Read a chat. */
    chatRetrieve(chatId: number): Promise<T.Chat>;
    /** Read where a chat stands. */
    chatRoutingRetrieve(chatId: number): Promise<T.ChatRouting>;
    /** Send a chat to a department. */
    chatRoutingRoute(chatId: number, body: T.RouteInput, write?: Write): Promise<T.Chat>;
    /** Mark messages as seen. */
    chatSeen(chatId: number, body: T.SeenInput, write?: Write): Promise<T.Seen>;
    /** Set a chat's priority. */
    chatSetPriority(chatId: number, body: T.PriorityInput, write?: Write): Promise<T.Chat>;
    /** Set a chat's state. */
    chatSetState(chatId: number, body: T.StateInput, write?: Write): Promise<T.Chat>;
    /** Transfer a chat. */
    chatTransfer(chatId: number, body: T.TransferInput, write?: Write): Promise<T.Chat>;
    /** Show an operator typing. */
    chatTyping(chatId: number, body: T.TypingInput, write?: Write): Promise<T.Typing>;
    /** Send a message. */
    messageCreate(chatId: number, body: T.MessageInput, write?: Write): Promise<T.PostedMessage>;
    /** List a chat's messages. */
    messageList(chatId: number, query?: {
        "cursor"?: string;
        "limit"?: number;
        "from"?: string;
        "to"?: string;
        "after_id"?: number;
    }): Promise<Page<T.SentMessage>>;
    /** Export a chat's transcript. */
    transcriptRetrieve(chatId: number): Promise<string>;
}
export declare class Contacts extends Group {
    /** List contacts. */
    contactList(query?: {
        "cursor"?: string;
        "limit"?: number;
        "query"?: string;
        "external_id"?: string;
    }): Promise<Page<T.Contact>>;
    /** Update a contact. */
    contactPartialUpdate(guid: string, body: T.ContactInput, write?: Write): Promise<T.Contact>;
    /** Read a contact. */
    contactRetrieve(guid: string): Promise<T.Contact>;
    /** Tag a contact. */
    contactTag(guid: string, body: T.TagsInput, write?: Write): Promise<T.Contact>;
}
export declare class Departments extends Group {
    /** Replace a department's agents. */
    departmentAgents(departmentId: number, body: T.DepartmentAgentsInput, write?: Write): Promise<T.Department>;
    /** Add a department. */
    departmentCreate(body: T.DepartmentInput, write?: Write): Promise<T.Department>;
    /** Delete a department. */
    departmentDestroy(departmentId: number): Promise<void>;
    /** Read a department's hours. */
    departmentHoursRetrieve(departmentId: number): Promise<T.Hours>;
    /** Replace a department's hours. */
    departmentHoursUpdate(departmentId: number, body: T.DepartmentHoursInput, write?: Write): Promise<T.Hours>;
    /** List departments. */
    departmentList(query?: {
        "cursor"?: string;
        "limit"?: number;
    }): Promise<Page<T.Department>>;
    /** Change a department. */
    departmentPartialUpdate(departmentId: number, body: T.DepartmentChangesInput, write?: Write): Promise<T.Department>;
    /** Read a department. */
    departmentRetrieve(departmentId: number): Promise<T.Department>;
    /** Change a department's routing. */
    departmentRoutingPartialUpdate(departmentId: number, body: T.DepartmentRoutingInput, write?: Write): Promise<T.DepartmentRouting>;
    /** Read a department's routing. */
    departmentRoutingRetrieve(departmentId: number): Promise<T.DepartmentRouting>;
    /** Replace a department's schedule. */
    departmentSchedule(departmentId: number, body: T.DepartmentScheduleInput, write?: Write): Promise<T.Department>;
}
export declare class ExternalOperators extends Group {
    /** Delete an external operator. */
    externalOperatorDestroy(publicId: string): Promise<void>;
    /** End an external operator's rotation now. */
    externalOperatorForceDrain(publicId: string, write?: Write): Promise<T.DrainedOperator>;
    /** Move an external operator through its lifecycle. */
    externalOperatorLifecycle(publicId: string, body: T.LifecycleInput, write?: Write): Promise<T.MovedOperator>;
    /** List external operators. */
    externalOperatorList(query?: {
        "cursor"?: string;
        "limit"?: number;
    }): Promise<Page<T.ExternalOperator>>;
    /** Change an external operator. */
    externalOperatorPartialUpdate(publicId: string, body: T.ExternalOperatorChangesInput, write?: Write): Promise<T.ExternalOperator>;
    /** Read an external operator. */
    externalOperatorRetrieve(publicId: string): Promise<T.ExternalOperator>;
    /** Read a test of an external operator. */
    probeRetrieve(publicId: string, testPublicId: string): Promise<T.ProbeTest>;
    /** Test an external operator. */
    probeStartCreate(publicId: string, write?: Write): Promise<T.ProbeTest>;
}
export declare class Files extends Group {
    /** Upload a file. */
    fileCreate(body: T.FileInput, write?: Write): Promise<T.File>;
    /** Download a file. */
    fileRetrieve(fileId: number): Promise<void>;
}
export declare class HelpCenter extends Group {
    /** Change the help center. */
    helpCenterPartialUpdate(body: T.HelpCenterInput, write?: Write): Promise<T.HelpCenter>;
    /** Read the help center. */
    helpCenterRetrieve(): Promise<T.HelpCenter>;
    /** Check the help center's own domain. */
    helpDomainCheck(write?: Write): Promise<T.HelpDomain>;
    /** Set the help center's own domain. */
    helpDomainPut(body: T.HelpDomainInput, write?: Write): Promise<T.HelpDomain>;
}
export declare class Holidays extends Group {
    /** List the public holidays of a country. */
    hoursHolidays(query: {
        "country": string;
        "subdivision"?: string;
        "year": number;
    }): Promise<Page<T.PublicHoliday>>;
}
export declare class Hours extends Group {
    /** Ask whether it is open. */
    hoursNow(query?: {
        "department_id"?: number;
        "at"?: string;
    }): Promise<T.HoursNow>;
    /** Read the widget's hours. */
    hoursRetrieve(): Promise<T.Hours>;
    /** Replace the widget's hours. */
    hoursUpdate(body: T.HoursInput, write?: Write): Promise<T.Hours>;
}
export declare class Kb extends Group {
    /** Remove the crawler. */
    crawlerDestroy(query?: {
        "rules"?: "keep" | "delete";
    }): Promise<void>;
    /** Read the crawler. */
    crawlerRetrieve(): Promise<T.Crawler>;
    /** Replace the crawler's configuration. */
    crawlerUpdate(body: T.CrawlerInput, write?: Write): Promise<T.Crawler>;
    /** Delete a rule. */
    ruleDestroy(ruleId: number): Promise<void>;
    /** Change a rule. */
    rulePartialUpdate(ruleId: number, body: T.RuleChangesInput, write?: Write): Promise<T.Rule>;
    /** Read a rule. */
    ruleRetrieve(ruleId: number): Promise<T.Rule>;
    /** Write a rule by hand. */
    rulesCreate(body: T.RuleInput, write?: Write): Promise<T.Rule>;
    /** Delete every rule of a source. */
    rulesDestroy(query: {
        "source_ref": string;
    }): Promise<T.DeletedSource>;
    /** List rules. */
    rulesList(query?: {
        "cursor"?: string;
        "limit"?: number;
        "doc_id"?: string;
        "source_ref"?: string;
        "source_type"?: "manual" | "crawl" | "upload" | "article";
        "q"?: string;
    }): Promise<Page<T.Rule>>;
    /** Preview what the bot would be given. */
    searchRetrieve(query: {
        "q": string;
        "limit"?: number;
        "assistant_id"?: number;
        "lang"?: string;
        "operator_id"?: number;
    }): Promise<T.Search>;
    /** List sources. */
    sourceList(query?: {
        "cursor"?: string;
        "limit"?: number;
        "type"?: "manual" | "crawl" | "upload" | "article";
    }): Promise<Page<T.Source>>;
    /** Read whether the knowledge base is indexed and in use. */
    statusRetrieve(): Promise<T.KnowledgeStatus>;
    /** Upload a document. */
    uploadCreate(write?: Write): Promise<T.Upload>;
    /** Delete an uploaded document. */
    uploadDestroy(uploadId: number): Promise<T.DeletedUpload>;
    /** List uploaded documents. */
    uploadList(query?: {
        "cursor"?: string;
        "limit"?: number;
        "state"?: "queued" | "extracting" | "embedding" | "ready" | "failed";
    }): Promise<Page<T.Upload>>;
    /** Read an uploaded document. */
    uploadRetrieve(uploadId: number): Promise<T.Upload>;
}
export declare class Macros extends Group {
    /** Add a macro. */
    macroCreate(body: T.MacroInput, write?: Write): Promise<T.Macro>;
    /** Delete a macro. */
    macroDestroy(macroId: number): Promise<void>;
    /** List macros. */
    macroList(query?: {
        "cursor"?: string;
        "limit"?: number;
    }): Promise<Page<T.Macro>>;
    /** Change a macro. */
    macroPartialUpdate(macroId: number, body: T.MacroChangesInput, write?: Write): Promise<T.Macro>;
    /** Read a macro. */
    macroRetrieve(macroId: number): Promise<T.Macro>;
}
export declare class Messengers extends Group {
    /** Remove an ad cabinet. */
    cabinetDestroy(cabinetId: number): Promise<void>;
    /** List ad cabinets. */
    cabinetList(query?: {
        "cursor"?: string;
        "limit"?: number;
    }): Promise<Page<T.Cabinet>>;
    /** Enable or disable an ad cabinet. */
    cabinetPartialUpdate(cabinetId: number, body: T.CabinetInput, write?: Write): Promise<T.Cabinet>;
    /** Read an ad cabinet. */
    cabinetRetrieve(cabinetId: number): Promise<T.Cabinet>;
    /** Connect a VK community. */
    communityCreate(body: T.CommunityInput, write?: Write): Promise<T.Community>;
    /** Remove a VK community. */
    communityDestroy(communityId: number): Promise<void>;
    /** List VK communities. */
    communityList(query?: {
        "cursor"?: string;
        "limit"?: number;
    }): Promise<Page<T.Community>>;
    /** Make a VK community the primary one. */
    communityPrimary(communityId: number, write?: Write): Promise<T.Community>;
    /** Disconnect a messenger. */
    messengerDestroy(provider: string): Promise<void>;
    /** List messengers. */
    messengerList(): Promise<Page<T.Provider>>;
    /** Read a messenger. */
    messengerRetrieve(provider: string): Promise<T.Provider>;
    /** Connect a messenger. */
    messengerUpdate(provider: string, body: T.ProviderInput, write?: Write): Promise<T.Provider>;
    /** Register a messenger again. */
    messengerVerify(provider: string, write?: Write): Promise<T.Provider>;
}
export declare class Partners extends Group {
    /** Read partner data. */
    partnerRetrieve(): Promise<T.Partner>;
}
export declare class Queue extends Group {
    /** Show the queue. */
    queueRetrieve(): Promise<T.Queue>;
}
export declare class RatingPolicy extends Group {
    /** Change the policy of ratings. */
    ratingPolicyPartialUpdate(body: T.RatingPolicyInput, write?: Write): Promise<T.RatingPolicy>;
    /** Read the policy of ratings. */
    ratingPolicyRetrieve(): Promise<T.RatingPolicy>;
}
export declare class Ratings extends Group {
    /** List ratings. */
    ratingList(query?: {
        "cursor"?: string;
        "limit"?: number;
        "from"?: string;
        "to"?: string;
        "kind"?: string;
        "agent_id"?: string;
        "value"?: string;
        "has_comment"?: "1" | "0";
    }): Promise<Page<T.EpisodeRating>>;
}
export declare class Reports extends Group {
    /** Read the cost of AI. */
    moneyReportTotal(query?: {
        "from"?: string;
        "to"?: string;
        "period"?: string;
        "zone"?: string;
        "group"?: string;
    }): Promise<T.MoneyReport>;
    /** List episodes. */
    reportEpisodes(query?: {
        "cursor"?: string;
        "limit"?: number;
        "from"?: string;
        "to"?: string;
        "period"?: string;
        "zone"?: string;
        "clock"?: string;
        "channel"?: string;
        "department_id"?: string;
        "agent_id"?: string;
        "assistant_id"?: string;
        "tag"?: string;
        "language"?: string;
        "page"?: string;
        "handover"?: string;
        "outcome"?: string;
        "ended_by"?: string;
        "opened_by"?: string;
        "rating"?: string;
        "weekday"?: string;
        "hour"?: string;
        "chat_id"?: string;
        "figure"?: string;
        "slowest"?: string;
    }): Promise<Page<T.Episode>>;
    /** Export a report. */
    reportExport(query?: {
        "from"?: string;
        "to"?: string;
        "period"?: string;
        "zone"?: string;
        "clock"?: string;
        "channel"?: string;
        "department_id"?: string;
        "agent_id"?: string;
        "assistant_id"?: string;
        "tag"?: string;
        "language"?: string;
        "page"?: string;
        "handover"?: string;
        "outcome"?: string;
        "ended_by"?: string;
        "opened_by"?: string;
        "rating"?: string;
        "weekday"?: string;
        "hour"?: string;
        "chat_id"?: string;
        "group"?: string;
        "compare"?: string;
        "figure"?: string;
        "slowest"?: string;
        "rows"?: "report" | "episodes";
        "format"?: "csv" | "xlsx";
    }): Promise<string>;
    /** Read a report. */
    reportTotal(query?: {
        "from"?: string;
        "to"?: string;
        "period"?: string;
        "zone"?: string;
        "clock"?: string;
        "channel"?: string;
        "department_id"?: string;
        "agent_id"?: string;
        "assistant_id"?: string;
        "tag"?: string;
        "language"?: string;
        "page"?: string;
        "handover"?: string;
        "outcome"?: string;
        "ended_by"?: string;
        "opened_by"?: string;
        "rating"?: string;
        "weekday"?: string;
        "hour"?: string;
        "chat_id"?: string;
        "group"?: string;
        "compare"?: string;
    }): Promise<T.Report>;
}
export declare class Reviews extends Group {
    /** List reviews. */
    reviewList(query?: {
        "cursor"?: string;
        "limit"?: number;
    }): Promise<Page<T.ReviewRow>>;
}
export declare class Routing extends Group {
    /** Change the widget's routing. */
    routingPartialUpdate(body: T.RoutingInput, write?: Write): Promise<T.Routing>;
    /** Read the widget's routing. */
    routingRetrieve(): Promise<T.Routing>;
}
export declare class Stats extends Group {
    /** Read the figures of answer times. */
    answerTimesList(query?: {
        "period"?: "today" | "yesterday" | "week" | "month";
        "from"?: string;
        "to"?: string;
        "department_id"?: number;
    }): Promise<Page<T.AnswerTimeFigure>>;
    /** Read statistics by channel. */
    statisticsChannels(query?: {
        "period"?: "today" | "yesterday" | "week" | "month";
        "from"?: string;
        "to"?: string;
    }): Promise<T.ChannelStats>;
    /** Read statistics over time. */
    statisticsSeries(query?: {
        "period"?: "today" | "yesterday" | "week" | "month";
        "from"?: string;
        "to"?: string;
        "interval"?: "day" | "week" | "month";
        "metric"?: string;
    }): Promise<T.Series>;
    /** Read statistics. */
    statisticsTotal(query?: {
        "period"?: "today" | "yesterday" | "week" | "month";
        "from"?: string;
        "to"?: string;
        "metric"?: string;
    }): Promise<T.Stats>;
}
export declare class Support extends Group {
    /** Read an action of this token. */
    supportActionRetrieve(actionId: number): Promise<T.Action>;
    /** Read an attachment of a customer. */
    supportAttachmentRetrieve(chatId: number, messageId: number): Promise<T.Attachment>;
    /** Claim a chat. */
    supportChatClaim(chatId: number, headers: {
        "X-Service-Agent": string;
    }, body?: T.DeskClaimInput, write?: Write): Promise<T.Claim>;
    /** List chats of the desk. */
    supportChatList(query: {
        "updated_since": string;
        "awaiting"?: "client" | "any";
        "min_idle_sec"?: number;
        "channel"?: "widget" | "tg" | "app";
        "has_open_ticket"?: "1" | "0";
    }): Promise<T.DeskChatList>;
    /** List messages of a chat of the desk. */
    supportChatMessages(chatId: number, query?: {
        "after_id"?: number;
        "limit"?: number;
        "include"?: string;
    }): Promise<T.DeskMessageList>;
    /** Release a chat. */
    supportChatRelease(chatId: number, headers: {
        "X-Service-Agent": string;
    }, body: T.DeskReleaseInput, write?: Write): Promise<T.Release>;
    /** Reply to a customer. */
    supportChatReply(chatId: number, headers: {
        "X-Service-Agent": string;
    }, body: T.DeskReplyInput, write?: Write): Promise<T.StoredReply>;
    /** Read a chat of the desk. */
    supportChatRetrieve(chatId: number): Promise<T.DeskChat>;
    /** Close a ticket. */
    supportTicketClose(number: number, headers: {
        "X-Service-Agent": string;
    }, body: T.DeskCloseInput, write?: Write): Promise<T.DeskMovedTicket>;
    /** List tickets. */
    supportTicketList(query?: {
        "cursor"?: string;
        "limit"?: number;
        "state"?: "open" | "closed" | "all";
        "priority"?: "urgent" | "high" | "normal" | "low";
        "reason"?: "app_request" | "offline_form" | "customer_request" | "safety" | "ai_failed" | "ai_handoff" | "unanswered" | "resolved" | "answered_by_email" | "duplicate" | "false_positive" | "answered";
        "updated_since"?: string;
    }): Promise<Page<T.DeskTicket>>;
    /** Reopen a ticket. */
    supportTicketReopen(number: number, headers: {
        "X-Service-Agent": string;
    }, body?: T.DeskReopenInput, write?: Write): Promise<T.DeskMovedTicket>;
    /** Read a ticket. */
    supportTicketRetrieve(number: number): Promise<T.DeskTicketDetail>;
}
export declare class Tags extends Group {
    /** List tags. */
    tagList(): Promise<T.TagList>;
}
export declare class WebhookEvents extends Group {
    /** List webhook events. */
    eventList(): Promise<Page<T.EventName>>;
}
export declare class WebhookSubscriptions extends Group {
    /** Subscribe a url to events. */
    subscriptionCreate(body: T.SubscriptionInput, write?: Write): Promise<T.CreatedSubscription>;
    /** List a webhook subscription's deliveries. */
    subscriptionDeliveries(subscriptionId: number, query?: {
        "cursor"?: string;
        "limit"?: number;
        "status"?: "pending" | "delivered" | "failed" | "skipped";
        "event_type"?: string;
    }): Promise<Page<T.Delivery>>;
    /** Delete a webhook subscription. */
    subscriptionDestroy(subscriptionId: number): Promise<void>;
    /** List webhook subscriptions. */
    subscriptionList(query?: {
        "cursor"?: string;
        "limit"?: number;
    }): Promise<Page<T.Subscription>>;
    /** Change a webhook subscription. */
    subscriptionPartialUpdate(subscriptionId: number, body: T.SubscriptionChangesInput, write?: Write): Promise<T.Subscription>;
    /** Send a delivery again. */
    subscriptionRedeliver(subscriptionId: number, body: T.RedeliveryInput, write?: Write): Promise<T.Redelivery>;
    /** Send again what has failed. */
    subscriptionRedeliverFailed(subscriptionId: number, body: T.RedeliverFailedInput, write?: Write): Promise<T.Redelivered>;
    /** Read a webhook subscription. */
    subscriptionRetrieve(subscriptionId: number): Promise<T.Subscription>;
    /** Rotate a webhook subscription's secret. */
    subscriptionRotateSecret(subscriptionId: number, body?: T.SecretInput, write?: Write): Promise<T.CreatedSubscription>;
}
export declare class Widget extends Group {
    /** Read the script tag. */
    appearanceEmbed(): Promise<T.Embed>;
    /** List icons. */
    appearanceIcons(): Promise<Page<T.IconPreset>>;
    /** Purge the served widget. */
    appearancePurge(write?: Write): Promise<T.Purged>;
    /** List skins. */
    appearanceSkins(): Promise<Page<T.Skin>>;
    /** Upload an icon. */
    appearanceUploadIcon(write?: Write): Promise<T.Icon>;
    /** Change the settings of invitations. */
    invitationSettingsPartialUpdate(body: T.InvitationSettingsInput, write?: Write): Promise<T.InvitationSettings>;
    /** Read the settings of invitations. */
    invitationSettingsRetrieve(): Promise<T.InvitationSettings>;
    /** Read the questions before a chat. */
    questionRetrieve(): Promise<T.QuestionSet>;
    /** Set the questions before a chat. */
    questionUpdate(body: T.QuestionSetInput, write?: Write): Promise<T.QuestionSet>;
    /** Read what widget settings may be. */
    settingsDescribe(): Promise<T.SettingsSchema>;
    /** Read the widget's language. */
    settingsLanguage(): Promise<T.Language>;
    /** Change the widget's settings. */
    settingsPartialUpdate(body: T.SettingsChangesInput, write?: Write): Promise<T.Settings>;
    /** Read the widget's settings. */
    settingsRetrieve(): Promise<T.Settings>;
    /** Set the widget's language. */
    settingsSetLanguage(body: T.LanguageInput, write?: Write): Promise<T.Language>;
    /** Translate texts again. */
    translationRegenerate(body: T.RegenerateInput, write?: Write): Promise<T.Regenerated>;
    /** Read the state of translations. */
    translationRetrieve(): Promise<T.Translations>;
}
export declare class Wishes extends Group {
    /** Approve a wish. */
    wishApprove(wishId: number, body?: T.ApprovalInput, write?: Write): Promise<T.Wish>;
    /** Submit a wish. */
    wishCreate(body: T.WishInput, write?: Write): Promise<T.Wish>;
    /** List wishes. */
    wishList(query?: {
        "cursor"?: string;
        "limit"?: number;
        "status"?: "submitted" | "on_probation" | "kept" | "rejected" | "reverted";
        "assistant_id"?: number;
    }): Promise<Page<T.WishRow>>;
    /** Preview an approval. */
    wishPreview(wishId: number): Promise<T.WishPreview>;
    /** Reject a wish. */
    wishReject(wishId: number, write?: Write): Promise<T.Wish>;
    /** Read a wish. */
    wishRetrieve(wishId: number): Promise<T.Wish>;
    /** Revert a wish. */
    wishRevert(wishId: number, write?: Write): Promise<T.Wish>;
}
/** All calls. */
export declare abstract class Operations extends Caller {
    readonly account: Account;
    readonly agents: Agents;
    readonly ai: Ai;
    readonly articleCategories: ArticleCategories;
    readonly articleGaps: ArticleGaps;
    readonly articleImports: ArticleImports;
    readonly articlePictures: ArticlePictures;
    readonly articleResults: ArticleResults;
    readonly articles: Articles;
    readonly automationRuns: AutomationRuns;
    readonly automations: Automations;
    readonly billing: Billing;
    readonly channels: Channels;
    readonly chatInvitations: ChatInvitations;
    readonly chats: Chats;
    readonly contacts: Contacts;
    readonly departments: Departments;
    readonly externalOperators: ExternalOperators;
    readonly files: Files;
    readonly helpCenter: HelpCenter;
    readonly holidays: Holidays;
    readonly hours: Hours;
    readonly kb: Kb;
    readonly macros: Macros;
    readonly messengers: Messengers;
    readonly partners: Partners;
    readonly queue: Queue;
    readonly ratingPolicy: RatingPolicy;
    readonly ratings: Ratings;
    readonly reports: Reports;
    readonly reviews: Reviews;
    readonly routing: Routing;
    readonly stats: Stats;
    readonly support: Support;
    readonly tags: Tags;
    readonly webhookEvents: WebhookEvents;
    readonly webhookSubscriptions: WebhookSubscriptions;
    readonly widget: Widget;
    readonly wishes: Wishes;
}
