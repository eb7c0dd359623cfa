"""The help center, its categories and pictures over REST (design of the first word, 3)."""

from apps.articles.actions import categories as actions
from apps.articles.actions.centers import change_center
from apps.articles.actions.domains import check_domain, set_domain
from apps.articles.actions.pictures import PICTURE_FORM, store_picture
from apps.articles.errors import (
    ARTICLE_PICTURE_STORAGE_FAILED,
    CATEGORY_IN_USE,
    DOMAIN_TAKEN,
    SLUG_TAKEN,
    TOO_MANY_CATEGORIES,
)
from apps.articles.models import ArticleCategory, ArticlePicture
from apps.articles.querysets.centers import center_answer, center_of, domain_answer
from apps.articles.serializers.articles import ArticlePictureSerializer
from apps.articles.serializers.centers import (
    CENTER_FIELDS,
    ArticleCategoryBody,
    ArticleCategoryChanges,
    ArticleCategorySerializer,
    FooterLinkSerializer,
    HelpDomainBody,
    HelpDomainSerializer,
)
from apps.articles.settings import CENTER
from apps.chats.rules.languages import LANGUAGES
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import Answer, operation
from apps.core.endpoints.paging import Page
from apps.core.endpoints.row_serializers import Json, Url
from apps.core.endpoints.serializers import Choice
from apps.core.endpoints.viewsets import ApiViewSet
from apps.core.errors import NOT_FOUND
from apps.kb.errors import KB_FULL

HelpCenterBody = CENTER.body(
    "HelpCenterBody", "The changes of the help center.", without=tuple(CENTER_FIELDS), **CENTER_FIELDS
)
HelpCenterSerializer = CENTER.serializer(
    "HelpCenterSerializer",
    "The help center of the widget.",
    without=("title", "default_language", "footer"),
    title=Json(help_text="By language; the widget's name unless it has its own."),
    default_language=Choice(
        choices=list(LANGUAGES), help_text="The language of readers whose own an article is not in."
    ),
    footer=FooterLinkSerializer(many=True),
    url=Url(allow_null=True, help_text="The address of the public pages; null without any."),
    domain=HelpDomainSerializer(allow_null=True, help_text="Its own domain (`/v1/help-center/domain`)."),
)


class HelpCenterViewSet(ApiViewSet):
    reads = ("kb:read",)
    writes = ("articles:publish",)

    @operation(summary="Read the help center", answers=HelpCenterSerializer)
    def retrieve(self, context: RequestContext) -> Answer:
        """The readers of published articles: AI, the widget, public pages."""
        center = center_of(context.widget_id)
        return center_answer(center, CENTER.values(center.row))

    @operation(
        summary="Change the help center",
        takes=HelpCenterBody,
        answers=HelpCenterSerializer,
        problems=(SLUG_TAKEN, KB_FULL),
        example={"is_public": True, "slug": "flowers", "in_widget": "search"},
    )
    def partial_update(self, context: RequestContext) -> Answer:
        """Only the members that are sent change. The pages, the widget and AI follow at once."""
        change_center(widget_id=context.widget_id, changes=context.body)
        return self.retrieve(context)


class HelpDomainViewSet(ApiViewSet):
    writes = ("articles:publish",)

    @operation(
        summary="Set the help center's own domain",
        takes=HelpDomainBody,
        answers=HelpDomainSerializer,
        problems=(DOMAIN_TAKEN,),
        example={"domain": "help.shop.example"},
    )
    def put(self, context: RequestContext) -> Answer:
        """Write the TXT record `txt_name` with `txt_value`, then have it checked: a CNAME proves nothing.

        The same domain stays as it is. Null takes it away. Addresses, single labels and hosts of the installation are
        refused.
        """
        return domain_answer(set_domain(widget_id=context.widget_id, domain=context.body["domain"]))

    @operation(
        summary="Check the help center's own domain",
        answers=HelpDomainSerializer,
        problems=(NOT_FOUND,),
        calls_out=True,
    )
    def check(self, context: RequestContext) -> Answer:
        """Looks for its TXT record now. Each day it is looked for anyway."""
        return domain_answer(check_domain(widget_id=context.widget_id, outbound=context.outbound))


class ArticleCategoryViewSet(ApiViewSet):
    target = ArticleCategory
    reads = ("kb:read",)
    writes = ("kb:write",)

    @operation(summary="List categories of articles", answers=ArticleCategorySerializer, lists="whole")
    def list(self, context: RequestContext) -> Page:
        """All of the widget's, as readers see them."""
        return context.whole(ArticleCategory.objects.for_widget(context.widget_id).in_order())

    @operation(
        summary="Add a category of articles",
        takes=ArticleCategoryBody,
        answers=ArticleCategorySerializer,
        status=201,
        problems=(TOO_MANY_CATEGORIES,),
        example={"name": {"en": "Delivery", "ru": "Доставка"}, "position": 1},
    )
    def create(self, context: RequestContext) -> Answer:
        """A widget has 100 at most."""
        return actions.create_category(widget_id=context.widget_id, **context.body)

    @operation(
        summary="Change a category of articles",
        takes=ArticleCategoryChanges,
        answers=ArticleCategorySerializer,
        example={"position": 2},
    )
    def partial_update(self, context: RequestContext) -> Answer:
        """Its name, or its place."""
        actions.change_category(widget_id=context.widget_id, category_id=context.target_id, changes=context.body)
        return context.target

    @operation(summary="Delete a category of articles", status=204, problems=(CATEGORY_IN_USE,))
    def destroy(self, context: RequestContext) -> None:
        """One without articles."""
        actions.delete_category(widget_id=context.widget_id, category_id=context.target_id)


class ArticlePictureViewSet(ApiViewSet):
    target = ArticlePicture
    writes = ("kb:write",)

    @operation(
        summary="Upload a picture of articles",
        upload=PICTURE_FORM,
        answers=ArticlePictureSerializer,
        status=201,
        problems=(ARTICLE_PICTURE_STORAGE_FAILED,),
        calls_out=True,
    )
    def create(self, context: RequestContext) -> Answer:
        """A PNG, JPEG, GIF or WebP, by its content: at most 5 MB, 4,096 pixels a side.

        It is encoded again as WebP without metadata; of an animation the first frame. Texts show it by its `url`.
        """
        assert context.upload is not None  # noqa: S101 - it takes nothing else
        return store_picture(upload=context.upload, outbound=context.outbound)
